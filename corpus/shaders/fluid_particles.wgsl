// A particle fluid with a spatial hash, coupled to a smoke field on a grid.
//
// Order of a step: clear_cells, predict, count_cells, scan_cells, scan_totals, add_totals,
// scatter, density, forces, collide; then advect_smoke, divergence, pressure (repeated), project,
// splat_surface and shade. Cells are hashed, so that the volume has no bounds.

override PARTICLE_LANES: u32 = 128u;
override GRAVITY: f32 = -9.81;
override VORTICITY: bool = true;

const PI = 3.14159265359;
const SCAN_LANES = 256u;
const SCAN_ITEMS = 4u; // cells a lane of the scan takes
const CELL_BITS = 16u;
const CELL_COUNT = 1u << CELL_BITS;
const MAX_NEIGHBOURS = 96u;
const FIXED_POINT = 4096.0;
const EMPTY_SLOT = 0xffffffffu;
const MATERIAL_WATER = 0u;
const MATERIAL_OIL = 1u;
const MATERIAL_FOAM = 2u;

struct Simulation {
  count: u32,
  frame: u32,
  time_step: f32,
  radius: f32, // of the smoothing kernel, also the side of a cell
  rest_density: f32,
  stiffness: f32,
  near_stiffness: f32,
  viscosity: f32,
  box_low: vec3f,
  restitution: f32,
  box_high: vec3f,
  friction: f32,
  stir_center: vec3f,
  stir_strength: f32,
}

struct Camera {
  view_projection: mat4x4f,
  eye: vec3f,
  near: f32,
  resolution: vec2u,
  particle_size: f32,
  exposure: f32,
}

struct Particle {
  position: vec3f,
  density: f32,
  velocity: vec3f,
  near_density: f32,
  predicted: vec3f,
  material: u32,
}

struct Neighbourhood {
  count: u32,
  density: f32,
  near_density: f32,
  gradient: vec3f,
}

@group(0) @binding(0) var<uniform> sim: Simulation;
@group(0) @binding(1) var<storage, read_write> particles: array<Particle>;
@group(0) @binding(2) var<storage, read_write> sorted: array<u32>; // particle indices by cell
@group(0) @binding(3) var<storage, read_write> cell_counts: array<atomic<u32>, CELL_COUNT>;
@group(0) @binding(4) var<storage, read_write> cell_starts: array<u32>; // one more than cells
@group(0) @binding(5) var<storage, read_write> block_totals: array<u32>;
@group(0) @binding(6) var<storage, read_write> statistics: array<atomic<u32>, 8>;

@group(1) @binding(0) var obstacle: texture_3d<f32>; // signed distance
@group(1) @binding(1) var linear_clamp: sampler;
@group(1) @binding(2) var smoke_in: texture_2d<f32>;
@group(1) @binding(3) var smoke_out: texture_storage_2d<rgba16float, write>;
@group(1) @binding(4) var field: texture_2d<f32>; // velocity in xy
@group(1) @binding(5) var field_out: texture_storage_2d<rg32float, write>;
@group(1) @binding(6) var pressure_in: texture_2d<f32>;
@group(1) @binding(7) var pressure_out: texture_storage_2d<r32float, write>;
@group(1) @binding(8) var divergence_in: texture_2d<f32>;
@group(1) @binding(9) var divergence_out: texture_storage_2d<r32float, write>;

@group(2) @binding(0) var<uniform> camera: Camera;
@group(2) @binding(1) var<storage, read_write> thickness: array<atomic<i32>>; // fixed point
@group(2) @binding(2) var<storage, read_write> nearest: array<atomic<u32>>; // depth as ordered bits
@group(2) @binding(3) var environment: texture_2d<f32>;
@group(2) @binding(4) var environment_sampler: sampler;
@group(2) @binding(5) var image: texture_storage_2d<rgba8unorm, write>;

var<workgroup> scan_scratch: array<u32, SCAN_LANES>;
var<workgroup> tile: array<array<f32, 18>, 18>;
var<workgroup> crowded: atomic<u32>;

// ---------------------------------------------------------------------------------------------------
// Cells
// ---------------------------------------------------------------------------------------------------

fn cell_of(position: vec3f) -> vec3i {
  return vec3i(floor(position / sim.radius));
}

fn hash_cell(cell: vec3i) -> u32 {
  let c = bitcast<vec3u>(cell);
  var h = c.x * 73856093u;
  h ^= c.y * 19349663u;
  h ^= c.z * 83492791u;
  h ^= h >> 15u;
  return h & (CELL_COUNT - 1u);
}

fn random_unit(seed: u32) -> f32 {
  var state = seed * 747796405u + 2891336453u;
  state = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
  state = (state >> 22u) ^ state;
  return f32(state >> 8u) / 16777216.0;
}

@compute @workgroup_size(256)
fn clear_cells(@builtin(global_invocation_id) gid: vec3u) {
  if (gid.x < CELL_COUNT) {
    atomicStore(&cell_counts[gid.x], 0u);
  }
  if (gid.x < 8u) {
    atomicStore(&statistics[gid.x], 0u);
  }
}

// Swirl around the vertical axis through the stirring point.
fn stir(position: vec3f) -> vec3f {
  let offset = position - sim.stir_center;
  let distance = length(offset.xz);
  let falloff = exp(-distance * distance / (4.0 * sim.radius * sim.radius));
  return vec3f(-offset.z, 0.0, offset.x) * (sim.stir_strength * falloff);
}

@compute @workgroup_size(PARTICLE_LANES)
fn predict(@builtin(global_invocation_id) gid: vec3u) {
  let i = gid.x;
  if (i >= sim.count) {
    return;
  }
  var velocity = particles[i].velocity;
  velocity.y += GRAVITY * sim.time_step;
  if (sim.stir_strength != 0.0) {
    velocity += stir(particles[i].position) * sim.time_step;
  }
  switch (particles[i].material) {
    case MATERIAL_FOAM: {
      velocity *= 0.98;
      velocity.y -= 0.9 * GRAVITY * sim.time_step;
    }
    case MATERIAL_OIL: {
      velocity *= 0.995;
    }
    default: {}
  }
  particles[i].velocity = velocity;
  particles[i].predicted = particles[i].position + velocity * sim.time_step;
}

@compute @workgroup_size(PARTICLE_LANES)
fn count_cells(@builtin(global_invocation_id) gid: vec3u) {
  if (gid.x >= sim.count) {
    return;
  }
  let cell = hash_cell(cell_of(particles[gid.x].predicted));
  atomicAdd(&cell_counts[cell], 1u);
}

// Exclusive prefix sums of 1,024 cells a workgroup; the totals go through `scan_totals`.
@compute @workgroup_size(SCAN_LANES)
fn scan_cells(
  @builtin(workgroup_id) wid: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let first = (wid.x * SCAN_LANES + lane) * SCAN_ITEMS;
  var items: array<u32, SCAN_ITEMS>;
  var sum = 0u;
  for (var item = 0u; item < SCAN_ITEMS; item++) {
    items[item] = sum;
    sum += atomicLoad(&cell_counts[first + item]);
  }
  scan_scratch[lane] = sum;
  workgroupBarrier();

  for (var distance = 1u; distance < SCAN_LANES; distance <<= 1u) {
    let addend = select(0u, scan_scratch[max(lane, distance) - distance], lane >= distance);
    workgroupBarrier();
    scan_scratch[lane] += addend;
    workgroupBarrier();
  }

  let before = scan_scratch[lane] - sum;
  for (var item = 0u; item < SCAN_ITEMS; item++) {
    cell_starts[first + item] = before + items[item];
  }
  if (lane == SCAN_LANES - 1u) {
    block_totals[wid.x] = scan_scratch[lane];
  }
}

// Exclusive prefix sums of the totals, in place, by one workgroup.
@compute @workgroup_size(SCAN_LANES)
fn scan_totals(@builtin(local_invocation_index) lane: u32) {
  let blocks = arrayLength(&block_totals);
  var own = 0u;
  if (lane < blocks) {
    own = block_totals[lane];
  }
  scan_scratch[lane] = own;
  workgroupBarrier();
  var distance = 1u;
  loop {
    let addend = select(0u, scan_scratch[max(lane, distance) - distance], lane >= distance);
    workgroupBarrier();
    scan_scratch[lane] += addend;
    workgroupBarrier();
    continuing {
      distance *= 2u;
      break if distance >= SCAN_LANES;
    }
  }
  if (lane < blocks) {
    block_totals[lane] = scan_scratch[lane] - own;
  }
}

@compute @workgroup_size(SCAN_LANES)
fn add_totals(
  @builtin(workgroup_id) wid: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let offset = block_totals[wid.x];
  for (var item = 0u; item < SCAN_ITEMS; item++) {
    let cell = (wid.x * SCAN_ITEMS + item) * SCAN_LANES + lane;
    cell_starts[cell] += offset;
    atomicStore(&cell_counts[cell], 0u);
  }
  if (wid.x == 0u && lane == 0u) {
    cell_starts[CELL_COUNT] = sim.count;
  }
}

@compute @workgroup_size(PARTICLE_LANES)
fn scatter(@builtin(global_invocation_id) gid: vec3u) {
  if (gid.x >= sim.count) {
    return;
  }
  let cell = hash_cell(cell_of(particles[gid.x].predicted));
  let slot = cell_starts[cell] + atomicAdd(&cell_counts[cell], 1u);
  sorted[slot] = gid.x;
}

// ---------------------------------------------------------------------------------------------------
// Particles
// ---------------------------------------------------------------------------------------------------

fn spiky(distance: f32) -> f32 {
  let w = max(1.0 - distance / sim.radius, 0.0);
  return 15.0 / (2.0 * PI * pow(sim.radius, 3.0)) * w * w;
}

fn near_spiky(distance: f32) -> f32 {
  let w = max(1.0 - distance / sim.radius, 0.0);
  return 15.0 / (PI * pow(sim.radius, 3.0)) * w * w * w;
}

// Adds the particles of one cell to the neighbourhood of a place.
fn gather_cell(cell: vec3i, place: vec3f, own: u32, around: ptr<function, Neighbourhood>) {
  let h = hash_cell(cell);
  let end = cell_starts[h + 1u];
  for (var slot = cell_starts[h]; slot < end; slot++) {
    let other = sorted[slot];
    if (other == own) {
      continue;
    }
    let offset = particles[other].predicted - place;
    let squared = dot(offset, offset);
    if (squared >= sim.radius * sim.radius) {
      continue;
    }
    if ((*around).count >= MAX_NEIGHBOURS) {
      break;
    }
    let distance = sqrt(squared);
    (*around).count += 1u;
    (*around).density += spiky(distance);
    (*around).near_density += near_spiky(distance);
    if (distance > 1e-6) {
      (*around).gradient += offset / distance * spiky(distance);
    }
  }
}

@compute @workgroup_size(PARTICLE_LANES)
fn density(
  @builtin(global_invocation_id) gid: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  if (lane == 0u) {
    atomicStore(&crowded, 0u);
  }
  workgroupBarrier();
  if (gid.x < sim.count) {
    let own = sorted[gid.x];
    let place = particles[own].predicted;
    let home = cell_of(place);
    var around = Neighbourhood(0u, spiky(0.0), near_spiky(0.0), vec3f());
    for (var z = -1; z <= 1; z++) {
      for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
          gather_cell(home + vec3i(x, y, z), place, own, &around);
        }
      }
    }
    particles[own].density = around.density;
    particles[own].near_density = around.near_density;
    if (around.count >= MAX_NEIGHBOURS) {
      atomicAdd(&crowded, 1u);
    }
  }
  workgroupBarrier();
  if (lane == 0u) {
    let total = atomicLoad(&crowded);
    if (total > 0u) {
      atomicAdd(&statistics[0], total);
    }
  }
}

fn pressure_of(density: f32) -> f32 {
  return (density - sim.rest_density) * sim.stiffness;
}

@compute @workgroup_size(PARTICLE_LANES)
fn forces(@builtin(global_invocation_id) gid: vec3u) {
  if (gid.x >= sim.count) {
    return;
  }
  let own_index = sorted[gid.x];
  let own = particles[own_index];
  let own_pressure = pressure_of(own.density);
  let own_near = own.near_density * sim.near_stiffness;
  let home = cell_of(own.predicted);

  var push = vec3f();
  var drag = vec3f();
  for (var corner = 0u; corner < 27u; corner++) {
    let step = vec3i(vec3u(corner % 3u, (corner / 3u) % 3u, corner / 9u)) - 1;
    let h = hash_cell(home + step);
    var slot = cell_starts[h];
    let end = cell_starts[h + 1u];
    while (slot < end) {
      let index = sorted[slot];
      slot++;
      if (index == own_index) {
        continue;
      }
      let offset = particles[index].predicted - own.predicted;
      let distance = length(offset);
      if (distance >= sim.radius) {
        continue;
      }
      var direction = vec3f(0.0, 1.0, 0.0);
      if (distance > 1e-6) {
        direction = offset / distance;
      }
      let shared_pressure = 0.5 * (own_pressure + pressure_of(particles[index].density));
      let shared_near = 0.5 * (own_near + particles[index].near_density * sim.near_stiffness);
      let w = max(1.0 - distance / sim.radius, 0.0);
      push -= direction * (shared_pressure * w + shared_near * w * w) / particles[index].density;
      drag += (particles[index].velocity - own.velocity) * (w * w * w);
    }
  }
  let acceleration = push / own.density + drag * sim.viscosity;
  particles[own_index].velocity = own.velocity + acceleration * sim.time_step;
}

fn obstacle_distance(position: vec3f) -> f32 {
  let uvw = (position - sim.box_low) / (sim.box_high - sim.box_low);
  return textureSampleLevel(obstacle, linear_clamp, uvw, 0.0).x;
}

fn obstacle_normal(position: vec3f) -> vec3f {
  let e = 0.25 * sim.radius;
  let gradient = vec3f(
    obstacle_distance(position + vec3f(e, 0.0, 0.0)) - obstacle_distance(position - vec3f(e, 0.0, 0.0)),
    obstacle_distance(position + vec3f(0.0, e, 0.0)) - obstacle_distance(position - vec3f(0.0, e, 0.0)),
    obstacle_distance(position + vec3f(0.0, 0.0, e)) - obstacle_distance(position - vec3f(0.0, 0.0, e)),
  );
  return normalize(gradient + vec3f(0.0, 1e-5, 0.0));
}

// Keeps one coordinate inside the box and reflects its velocity.
fn bounce(position: ptr<function, vec3f>, velocity: ptr<function, vec3f>, axis: u32) {
  let low = sim.box_low[axis];
  let high = sim.box_high[axis];
  if ((*position)[axis] < low) {
    (*position)[axis] = low;
    (*velocity)[axis] = abs((*velocity)[axis]) * sim.restitution;
  } else if ((*position)[axis] > high) {
    (*position)[axis] = high;
    (*velocity)[axis] = -abs((*velocity)[axis]) * sim.restitution;
  }
}

@compute @workgroup_size(PARTICLE_LANES)
fn collide(@builtin(global_invocation_id) gid: vec3u) {
  let i = gid.x;
  if (i >= sim.count) {
    return;
  }
  var velocity = particles[i].velocity;
  var position = particles[i].position + velocity * sim.time_step;
  let depth = obstacle_distance(position);
  if (depth < 0.0) {
    let normal = obstacle_normal(position);
    position -= normal * depth;
    let inward = dot(velocity, normal);
    if (inward < 0.0) {
      let tangential = velocity - normal * inward;
      velocity = tangential * (1.0 - sim.friction) - normal * (inward * sim.restitution);
    }
  }
  for (var axis = 0u; axis < 3u; axis++) {
    bounce(&position, &velocity, axis);
  }
  let jitter = random_unit(i ^ (sim.frame * 9781u)) - 0.5;
  particles[i].position = position + vec3f(jitter, 0.0, -jitter) * (1e-5 * sim.radius);
  particles[i].velocity = velocity;
}

// ---------------------------------------------------------------------------------------------------
// Smoke
// ---------------------------------------------------------------------------------------------------

fn velocity_at(texel: vec2i, size: vec2i) -> vec2f {
  return textureLoad(field, clamp(texel, vec2i(0), size - 1), 0).xy;
}

fn curl_at(texel: vec2i, size: vec2i) -> f32 {
  let right = velocity_at(texel + vec2i(1, 0), size).y;
  let left = velocity_at(texel - vec2i(1, 0), size).y;
  let top = velocity_at(texel + vec2i(0, 1), size).x;
  let bottom = velocity_at(texel - vec2i(0, 1), size).x;
  return 0.5 * ((right - left) - (top - bottom));
}

@compute @workgroup_size(16, 16)
fn advect_smoke(@builtin(global_invocation_id) gid: vec3u) {
  let size = vec2i(textureDimensions(field));
  let texel = vec2i(gid.xy);
  if (any(texel >= size)) {
    return;
  }
  let inverse_size = 1.0 / vec2f(size);
  let uv = (vec2f(texel) + 0.5) * inverse_size;
  let back = uv - velocity_at(texel, size) * sim.time_step * inverse_size;
  let smoke = textureSampleLevel(smoke_in, linear_clamp, back, 0.0);
  textureStore(smoke_out, texel, smoke * 0.999);

  var moved = textureSampleLevel(field, linear_clamp, back, 0.0).xy;
  if (VORTICITY) {
    let right = abs(curl_at(texel + vec2i(1, 0), size));
    let left = abs(curl_at(texel - vec2i(1, 0), size));
    let top = abs(curl_at(texel + vec2i(0, 1), size));
    let bottom = abs(curl_at(texel - vec2i(0, 1), size));
    let gradient = 0.5 * vec2f(right - left, top - bottom);
    let direction = gradient / (length(gradient) + 1e-5);
    moved += vec2f(direction.y, -direction.x) * (curl_at(texel, size) * 0.3 * sim.time_step);
  }
  moved.y += smoke.w * 0.1 * sim.time_step;
  textureStore(field_out, texel, vec4f(moved, 0.0, 0.0));
}

@compute @workgroup_size(16, 16)
fn divergence(@builtin(global_invocation_id) gid: vec3u) {
  let size = vec2i(textureDimensions(field));
  let texel = vec2i(gid.xy);
  if (any(texel >= size)) {
    return;
  }
  let right = velocity_at(texel + vec2i(1, 0), size).x;
  let left = velocity_at(texel - vec2i(1, 0), size).x;
  let top = velocity_at(texel + vec2i(0, 1), size).y;
  let bottom = velocity_at(texel - vec2i(0, 1), size).y;
  let value = 0.5 * ((right - left) + (top - bottom));
  textureStore(divergence_out, texel, vec4f(value, 0.0, 0.0, 0.0));
}

// A Jacobi step from a tile of 18 by 18: the pressure of a block and its border.
@compute @workgroup_size(16, 16)
fn pressure(
  @builtin(workgroup_id) wid: vec3u,
  @builtin(local_invocation_id) lid: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let size = vec2i(textureDimensions(pressure_in));
  let origin = vec2i(wid.xy * 16u) - 1;
  for (var slot = lane; slot < 18u * 18u; slot += 256u) {
    let inside = vec2i(vec2u(slot % 18u, slot / 18u));
    let texel = clamp(origin + inside, vec2i(0), size - 1);
    tile[inside.y][inside.x] = textureLoad(pressure_in, texel, 0).x;
  }
  workgroupBarrier();

  let texel = vec2i(wid.xy * 16u + lid.xy);
  if (texel.x >= size.x || texel.y >= size.y) {
    return;
  }
  let x = lid.x + 1u;
  let y = lid.y + 1u;
  let around = tile[y][x - 1u] + tile[y][x + 1u] + tile[y - 1u][x] + tile[y + 1u][x];
  let source = textureLoad(divergence_in, texel, 0).x;
  textureStore(pressure_out, texel, vec4f((around - source) * 0.25, 0.0, 0.0, 0.0));
}

@compute @workgroup_size(16, 16)
fn project(@builtin(global_invocation_id) gid: vec3u) {
  let size = vec2i(textureDimensions(pressure_in));
  let texel = vec2i(gid.xy);
  if (any(texel >= size)) {
    return;
  }
  let last = size - 1;
  let right = textureLoad(pressure_in, min(texel + vec2i(1, 0), last), 0).x;
  let left = textureLoad(pressure_in, max(texel - vec2i(1, 0), vec2i(0)), 0).x;
  let top = textureLoad(pressure_in, min(texel + vec2i(0, 1), last), 0).x;
  let bottom = textureLoad(pressure_in, max(texel - vec2i(0, 1), vec2i(0)), 0).x;
  let free = velocity_at(texel, size) - 0.5 * vec2f(right - left, top - bottom);
  textureStore(field_out, texel, vec4f(free, 0.0, 0.0));
}

// ---------------------------------------------------------------------------------------------------
// Image
// ---------------------------------------------------------------------------------------------------

// Draws each particle as a disc into the thickness and the nearest depth.
@compute @workgroup_size(PARTICLE_LANES)
fn splat_surface(@builtin(global_invocation_id) gid: vec3u) {
  if (gid.x >= sim.count) {
    return;
  }
  let clip = camera.view_projection * vec4f(particles[gid.x].position, 1.0);
  if (clip.w < camera.near) {
    return;
  }
  let ndc = clip.xyz / clip.w;
  if (any(abs(ndc.xy) > vec2f(1.1))) {
    return;
  }
  let center = (ndc.xy * vec2f(0.5, -0.5) + 0.5) * vec2f(camera.resolution);
  let radius = clamp(camera.particle_size / clip.w, 1.0, 24.0);
  let low = vec2i(max(floor(center - radius), vec2f(0.0)));
  let high = vec2i(min(ceil(center + radius), vec2f(camera.resolution) - 1.0));
  let depth_bits = bitcast<u32>(clip.w); // positive floats keep their order as integers
  for (var y = low.y; y <= high.y; y++) {
    for (var x = low.x; x <= high.x; x++) {
      let offset = (vec2f(f32(x), f32(y)) + 0.5 - center) / radius;
      let squared = dot(offset, offset);
      if (squared > 1.0) {
        continue;
      }
      let pixel = u32(y) * camera.resolution.x + u32(x);
      atomicAdd(&thickness[pixel], i32(sqrt(1.0 - squared) * FIXED_POINT));
      atomicMin(&nearest[pixel], depth_bits);
    }
  }
}

fn tone_map(color: vec3f) -> vec3f {
  let x = color * camera.exposure;
  return saturate((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14));
}

fn sky(direction: vec3f) -> vec3f {
  let uv = vec2f(atan2(direction.z, direction.x) / (2.0 * PI) + 0.5, acos(clamp(direction.y, -1.0, 1.0)) / PI);
  return textureSampleLevel(environment, environment_sampler, uv, 0.0).rgb;
}

@compute @workgroup_size(8, 8)
fn shade(@builtin(global_invocation_id) gid: vec3u) {
  if (gid.x >= camera.resolution.x || gid.y >= camera.resolution.y) {
    return;
  }
  let pixel = gid.y * camera.resolution.x + gid.x;
  let thick = f32(atomicLoad(&thickness[pixel])) / FIXED_POINT;
  let depth = bitcast<f32>(atomicLoad(&nearest[pixel]));
  let uv = (vec2f(gid.xy) + 0.5) / vec2f(camera.resolution);
  let ray = normalize(vec3f(uv * 2.0 - 1.0, 1.0));

  var color = sky(ray);
  if (thick > 0.0) {
    let next = bitcast<f32>(atomicLoad(&nearest[min(pixel + 1u, arrayLength(&nearest) - 1u)]));
    let slope = clamp((next - depth) / max(depth, 1e-3), -1.0, 1.0);
    let normal = normalize(vec3f(slope, 0.3, -1.0));
    let fresnel = 0.02 + 0.98 * pow(1.0 - saturate(dot(normal, -ray)), 5.0);
    let absorbed = exp(-thick * vec3f(0.9, 0.25, 0.12));
    let bent = refract(ray, normal, 1.0 / 1.33);
    color = mix(sky(bent) * absorbed, sky(reflect(ray, normal)), fresnel);
  }
  let smoke = textureSampleLevel(smoke_in, linear_clamp, uv, 0.0);
  color = mix(color, smoke.rgb, smoke.a);
  textureStore(image, gid.xy, vec4f(tone_map(color), 1.0));
  atomicStore(&thickness[pixel], 0);
  atomicStore(&nearest[pixel], EMPTY_SLOT);
}
