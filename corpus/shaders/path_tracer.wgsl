// A wavefront path tracer with a learned denoiser: one frame, from camera rays to the picture.
//
// Order of a frame: reset_frame, generate; for each bounce begin_bounce, extend, count_materials,
// scan_materials, sort_materials, shade, connect; then accumulate, denoise_network, denoise_wavelet
// (repeated), measure_exposure, adapt_exposure, bloom_down (repeated) and present. Lights are ordered by
// sort_lights once a scene. Rays live in queues of structures of arrays; the boxes of the hierarchy
// have eight bits a plane; the weights of the network have four.

enable f16;

override MAX_BOUNCES: u32 = 6u;
override ROULETTE_START: u32 = 3u;
override USE_NETWORK: bool = true;
override WAVELET_STEP: i32 = 1;
override EXPOSURE_SPEED: f32 = 1.5;

const PI = 3.14159265359;
const INVERSE_PI = 0.31830988618;
const FAR = 1.0e30;
const RAY_EPSILON = 1.0e-4;
const STACK_SIZE = 24u;
const LEAF_FLAG = 0x80000000u;
const NO_HIT = 0xffffffffu;
const GROUP = 64u;
const MATERIAL_KINDS = 8u;
const LIGHTS_PER_SORT = 256u;
const HISTOGRAM_BINS = 256u;
const HIDDEN = 32u; // width of the network's layers
const NETWORK_LAYERS = 3u;
const FEATURES = 12u; // inputs that carry a feature; the rest are zero
const WEIGHTS_PER_WORD = 8u;
const WORDS_PER_ROW = HIDDEN / WEIGHTS_PER_WORD;
const WORDS_PER_LAYER = HIDDEN * WORDS_PER_ROW;
const TILE = 16u;
const BORDER = 2u;
const PADDED = TILE + 2u * BORDER;

const KIND_DIFFUSE = 0u;
const KIND_METAL = 1u;
const KIND_GLASS = 2u;
const KIND_EMITTER = 3u;
const KIND_LAYERED = 4u;
const KIND_MISS = 7u;

// ---------------------------------------------------------------------------------------------------
// Data
// ---------------------------------------------------------------------------------------------------

struct Frame {
  camera_to_world: mat4x4f,
  previous_clip: mat4x4f,
  resolution: vec2u,
  frame: u32,
  light_count: u32,
  tan_half_fov: vec2f,
  aperture: f32,
  focus: f32,
  time_step: f32,
  exposure_bias: f32,
  bloom: f32,
  flags: u32,
}

// Four children. A plane of a child is low + extent * byte / 255.
struct Node {
  low: vec3f,
  children_first: u32,
  extent: vec3f,
  leaf_mask: u32,
  low_x: u32,
  low_y: u32,
  low_z: u32,
  high_x: u32,
  high_y: u32,
  high_z: u32,
  counts: u32, // triangles of each leaf, a byte each
  unused: u32,
}

struct Triangle {
  corner: vec3f,
  material: u32,
  edge_1: vec3f,
  normal_word: u32, // octahedral, two signed halves
  edge_2: vec3f,
  uv_word: u32,
}

struct Material {
  color: vec3f,
  kind: u32,
  emission: vec3f,
  roughness: f32,
  ior: f32,
  layer: i32, // of the texture array, negative for none
  coat: f32,
  unused: f32,
}

struct Light {
  corner: vec3f,
  power: f32,
  edge_1: vec3f,
  area: f32,
  edge_2: vec3f,
  index: u32,
}

struct Ray {
  origin: vec3f,
  direction: vec3f,
  inverse: vec3f,
  limit: f32,
}

struct Hit {
  distance: f32,
  triangle: u32,
  uv: vec2f,
}

struct Surface {
  position: vec3f,
  normal: vec3f,
  uv: vec2f,
  front: bool,
}

struct Scatter {
  direction: vec3f,
  weight: vec3f,
  density: f32, // zero for a perfect reflection
}

struct Counters {
  live: atomic<u32>,
  next: atomic<u32>,
  shadow: atomic<u32>,
  rays: atomic<u32>,
  dispatch: array<u32, 4>,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> nodes: array<Node>;
@group(0) @binding(2) var<storage, read> triangles: array<Triangle>;
@group(0) @binding(3) var<storage, read> materials: array<Material>;
@group(0) @binding(4) var<storage, read_write> lights: array<Light>;
@group(0) @binding(5) var albedo_maps: texture_2d_array<f32>;
@group(0) @binding(6) var sky_map: texture_2d<f32>;
@group(0) @binding(7) var repeat_linear: sampler;

@group(1) @binding(0) var<storage, read_write> counters: Counters;
@group(1) @binding(1) var<storage, read_write> ray_origins: array<vec4f>; // w: pixel as bits
@group(1) @binding(2) var<storage, read_write> ray_directions: array<vec4f>; // w: density of the last bounce
@group(1) @binding(3) var<storage, read_write> throughputs: array<vec4f>;
@group(1) @binding(4) var<storage, read_write> hits: array<Hit>;
@group(1) @binding(5) var<storage, read_write> order: array<u32>; // ray indices by kind of material
@group(1) @binding(6) var<storage, read_write> kind_counts: array<atomic<u32>, MATERIAL_KINDS>;
@group(1) @binding(7) var<storage, read_write> radiance: array<vec4f>;

@group(2) @binding(0) var<storage, read_write> shadow_origins: array<vec4f>; // w: limit
@group(2) @binding(1) var<storage, read_write> shadow_directions: array<vec4f>; // w: pixel as bits
@group(2) @binding(2) var<storage, read_write> shadow_radiance: array<vec4f>;
@group(2) @binding(3) var<storage, read_write> next_origins: array<vec4f>;
@group(2) @binding(4) var<storage, read_write> next_directions: array<vec4f>;
@group(2) @binding(5) var<storage, read_write> next_throughputs: array<vec4f>;

@group(3) @binding(0) var history: texture_2d<f32>;
@group(3) @binding(1) var guides: texture_2d<f32>; // normal in xyz, depth in w
@group(3) @binding(2) var guides_out: texture_storage_2d<rgba16float, write>;
@group(3) @binding(3) var color_in: texture_2d<f32>;
@group(3) @binding(4) var color_out: texture_storage_2d<rgba16float, write>;
@group(3) @binding(5) var picture: texture_storage_2d<rgba8unorm, write>;
@group(3) @binding(6) var clamp_linear: sampler;
@group(3) @binding(7) var<storage, read> network_words: array<u32>;
@group(3) @binding(8) var<storage, read> network_scales: array<f16>; // one a row
@group(3) @binding(9) var<storage, read_write> luminance_bins: array<atomic<u32>, HISTOGRAM_BINS>;
@group(3) @binding(10) var<storage, read_write> exposure: array<f32, 2>; // current and target

var<private> random_state: u32;
var<private> stack: array<u32, STACK_SIZE>;

var<workgroup> group_kinds: array<atomic<u32>, MATERIAL_KINDS>;
var<workgroup> group_bases: array<u32, MATERIAL_KINDS>;
var<workgroup> bins: array<atomic<u32>, HISTOGRAM_BINS>;
var<workgroup> bin_sums: array<f32, HISTOGRAM_BINS>;
var<workgroup> light_keys: array<vec2u, LIGHTS_PER_SORT>; // key and index
var<workgroup> layer_weights: array<f16, HIDDEN * HIDDEN>;
var<workgroup> tile_color: array<vec4f, PADDED * PADDED>;
var<workgroup> tile_guide: array<vec4f, PADDED * PADDED>;

// ---------------------------------------------------------------------------------------------------
// Random numbers and directions
// ---------------------------------------------------------------------------------------------------

fn hash(word: u32) -> u32 {
  let state = word * 747796405u + 2891336453u;
  let mixed = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
  return (mixed >> 22u) ^ mixed;
}

fn seed_random(pixel: u32, salt: u32) {
  random_state = hash(pixel ^ hash(frame.frame * 16u + salt));
}

fn random() -> f32 {
  random_state = hash(random_state);
  return f32(random_state >> 8u) * (1.0 / 16777216.0);
}

fn random_2d() -> vec2f {
  let x = random();
  return vec2f(x, random());
}

// Two unit vectors that make a basis with `normal` (Duff et al., 2017).
fn tangents(normal: vec3f, tangent: ptr<function, vec3f>, bitangent: ptr<function, vec3f>) {
  let s = select(-1.0, 1.0, normal.z >= 0.0);
  let a = -1.0 / (s + normal.z);
  let b = normal.x * normal.y * a;
  *tangent = vec3f(1.0 + s * normal.x * normal.x * a, s * b, -s * normal.x);
  *bitangent = vec3f(b, s + normal.y * normal.y * a, -normal.y);
}

fn to_world(local: vec3f, normal: vec3f) -> vec3f {
  var tangent: vec3f;
  var bitangent: vec3f;
  tangents(normal, &tangent, &bitangent);
  return tangent * local.x + bitangent * local.y + normal * local.z;
}

fn cosine_direction(u: vec2f) -> vec3f {
  let r = sqrt(u.x);
  let phi = 2.0 * PI * u.y;
  return vec3f(r * cos(phi), r * sin(phi), sqrt(max(1.0 - u.x, 0.0)));
}

fn disc(u: vec2f) -> vec2f {
  let phi = 2.0 * PI * u.y;
  return sqrt(u.x) * vec2f(cos(phi), sin(phi));
}

fn decode_normal(word: u32) -> vec3f {
  let e = unpack2x16snorm(word);
  var n = vec3f(e, 1.0 - abs(e.x) - abs(e.y));
  let t = max(-n.z, 0.0);
  n.x -= sign(n.x) * t;
  n.y -= sign(n.y) * t;
  return normalize(n);
}

fn luminance(color: vec3f) -> f32 {
  return dot(color, vec3f(0.2126, 0.7152, 0.0722));
}

// ---------------------------------------------------------------------------------------------------
// Hierarchy
// ---------------------------------------------------------------------------------------------------

fn make_ray(origin: vec3f, direction: vec3f, limit: f32) -> Ray {
  return Ray(origin, direction, 1.0 / direction, limit);
}

fn planes(word: u32) -> vec4f {
  return unpack4x8unorm(word);
}

// Entry distances of the four children of a node; `FAR` where the ray misses.
fn child_distances(node: u32, ray: Ray, nearest: f32) -> vec4f {
  let low = (nodes[node].low - ray.origin) * ray.inverse;
  let extent = nodes[node].extent * ray.inverse;
  let x0 = fma(planes(nodes[node].low_x), vec4f(extent.x), vec4f(low.x));
  let x1 = fma(planes(nodes[node].high_x), vec4f(extent.x), vec4f(low.x));
  let y0 = fma(planes(nodes[node].low_y), vec4f(extent.y), vec4f(low.y));
  let y1 = fma(planes(nodes[node].high_y), vec4f(extent.y), vec4f(low.y));
  let z0 = fma(planes(nodes[node].low_z), vec4f(extent.z), vec4f(low.z));
  let z1 = fma(planes(nodes[node].high_z), vec4f(extent.z), vec4f(low.z));
  let enter = max(max(min(x0, x1), min(y0, y1)), max(min(z0, z1), vec4f(0.0)));
  let leave = min(min(max(x0, x1), max(y0, y1)), min(max(z0, z1), vec4f(nearest)));
  return select(vec4f(FAR), enter, enter <= leave);
}

// Möller and Trumbore's test; updates `hit` if the triangle is nearer.
fn test_triangle(index: u32, ray: Ray, hit: ptr<function, Hit>) -> bool {
  let e1 = triangles[index].edge_1;
  let e2 = triangles[index].edge_2;
  let p = cross(ray.direction, e2);
  let determinant_3 = dot(e1, p);
  if (abs(determinant_3) < 1e-9) {
    return false;
  }
  let inverse = 1.0 / determinant_3;
  let offset = ray.origin - triangles[index].corner;
  let u = dot(offset, p) * inverse;
  if (u < 0.0 || u > 1.0) {
    return false;
  }
  let q = cross(offset, e1);
  let v = dot(ray.direction, q) * inverse;
  if (v < 0.0 || u + v > 1.0) {
    return false;
  }
  let distance = dot(e2, q) * inverse;
  if (distance <= RAY_EPSILON || distance >= (*hit).distance) {
    return false;
  }
  *hit = Hit(distance, index, vec2f(u, v));
  return true;
}

// Swaps two children so that the nearer comes first.
fn order_pair(distances: ptr<function, vec4f>, slots: ptr<function, vec4u>, a: u32, b: u32) {
  if ((*distances)[a] > (*distances)[b]) {
    let distance = (*distances)[a];
    (*distances)[a] = (*distances)[b];
    (*distances)[b] = distance;
    let slot = (*slots)[a];
    (*slots)[a] = (*slots)[b];
    (*slots)[b] = slot;
  }
}

// Nearest hit along the ray, or any hit when `any_hit` is set.
fn traverse(ray: Ray, any_hit: bool) -> Hit {
  var hit = Hit(ray.limit, NO_HIT, vec2f());
  var depth = 0u;
  var node = 0u;
  loop {
    if ((node & LEAF_FLAG) != 0u) {
      let count = (node >> 24u) & 127u;
      let first = node & 0x00ffffffu;
      for (var i = 0u; i < count; i++) {
        if (test_triangle(first + i, ray, &hit) && any_hit) {
          return hit;
        }
      }
    } else {
      var distances = child_distances(node, ray, hit.distance);
      var slots = vec4u(0u, 1u, 2u, 3u);
      order_pair(&distances, &slots, 0u, 1u);
      order_pair(&distances, &slots, 2u, 3u);
      order_pair(&distances, &slots, 0u, 2u);
      order_pair(&distances, &slots, 1u, 3u);
      order_pair(&distances, &slots, 1u, 2u);
      for (var k = 4u; k > 0u; k--) {
        if (distances[k - 1u] >= FAR || depth >= STACK_SIZE) {
          continue;
        }
        let slot = slots[k - 1u];
        var child = nodes[node].children_first + slot;
        if (((nodes[node].leaf_mask >> slot) & 1u) != 0u) {
          let count = extractBits(nodes[node].counts, slot * 8u, 7u);
          child = LEAF_FLAG | (count << 24u) | child;
        }
        stack[depth] = child;
        depth++;
      }
    }
    if (depth == 0u) {
      break;
    }
    depth--;
    node = stack[depth];
  }
  return hit;
}

fn surface_at(ray_origin: vec3f, direction: vec3f, hit: Hit) -> Surface {
  let geometric = decode_normal(triangles[hit.triangle].normal_word);
  let front = dot(geometric, direction) < 0.0;
  let corner_uv = unpack2x16float(triangles[hit.triangle].uv_word);
  return Surface(
    ray_origin + direction * hit.distance,
    select(-geometric, geometric, front),
    corner_uv + hit.uv,
    front,
  );
}

// ---------------------------------------------------------------------------------------------------
// Camera and queues
// ---------------------------------------------------------------------------------------------------

@compute @workgroup_size(GROUP)
fn reset_frame(@builtin(global_invocation_id) gid: vec3u) {
  if (gid.x == 0u) {
    atomicStore(&counters.live, frame.resolution.x * frame.resolution.y);
    atomicStore(&counters.next, 0u);
    atomicStore(&counters.shadow, 0u);
    atomicStore(&counters.rays, 0u);
  }
  if (gid.x < HISTOGRAM_BINS) {
    atomicStore(&luminance_bins[gid.x], 0u);
  }
}

@compute @workgroup_size(8, 8)
fn generate(@builtin(global_invocation_id) gid: vec3u) {
  if (any(gid.xy >= frame.resolution)) {
    return;
  }
  let pixel = gid.y * frame.resolution.x + gid.x;
  seed_random(pixel, 0u);
  let uv = (vec2f(gid.xy) + random_2d()) / vec2f(frame.resolution);
  let film = (uv * 2.0 - 1.0) * frame.tan_half_fov * vec2f(1.0, -1.0);
  let lens = disc(random_2d()) * frame.aperture;
  let target_point = vec3f(film * frame.focus, -frame.focus);
  let direction = normalize(target_point - vec3f(lens, 0.0));

  let origin = (frame.camera_to_world * vec4f(lens, 0.0, 1.0)).xyz;
  let world = (frame.camera_to_world * vec4f(direction, 0.0)).xyz;
  ray_origins[pixel] = vec4f(origin, bitcast<f32>(pixel));
  ray_directions[pixel] = vec4f(world, 0.0);
  throughputs[pixel] = vec4f(1.0);
  radiance[pixel] = vec4f();
}

// Makes the next queue the current one and sizes the indirect dispatches.
@compute @workgroup_size(MATERIAL_KINDS)
fn begin_bounce(@builtin(local_invocation_index) lane: u32) {
  atomicStore(&kind_counts[lane], 0u);
  if (lane != 0u) {
    return;
  }
  if (frame.flags != 0u) {
    atomicStore(&counters.live, atomicExchange(&counters.next, 0u));
  }
  atomicStore(&counters.shadow, 0u);
  let active_rays = atomicLoad(&counters.live);
  counters.dispatch = array<u32, 4>((active_rays + GROUP - 1u) / GROUP, 1u, 1u, 0u);
}

@compute @workgroup_size(GROUP)
fn extend(
  @builtin(global_invocation_id) gid: vec3u,
  @builtin(subgroup_invocation_id) subgroup_lane: u32,
) {
  let i = gid.x;
  let live = i < atomicLoad(&counters.live);
  let traced = subgroupAdd(select(0u, 1u, live));
  if (subgroup_lane == 0u) {
    atomicAdd(&counters.rays, traced);
  }
  if (!live) {
    return;
  }
  hits[i] = traverse(make_ray(ray_origins[i].xyz, ray_directions[i].xyz, FAR), false);
}

// ---------------------------------------------------------------------------------------------------
// Sorting rays by material
// ---------------------------------------------------------------------------------------------------

fn kind_of(ray: u32) -> u32 {
  let triangle = hits[ray].triangle;
  if (triangle == NO_HIT) {
    return KIND_MISS;
  }
  return min(materials[triangles[triangle].material].kind, KIND_LAYERED);
}

@compute @workgroup_size(GROUP)
fn count_materials(
  @builtin(global_invocation_id) gid: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  if (lane < MATERIAL_KINDS) {
    atomicStore(&group_kinds[lane], 0u);
  }
  workgroupBarrier();
  if (gid.x < atomicLoad(&counters.live)) {
    atomicAdd(&group_kinds[kind_of(gid.x)], 1u);
  }
  workgroupBarrier();
  if (lane < MATERIAL_KINDS) {
    atomicAdd(&kind_counts[lane], atomicLoad(&group_kinds[lane]));
  }
}

@compute @workgroup_size(1)
fn scan_materials() {
  var sum = 0u;
  for (var kind = 0u; kind < MATERIAL_KINDS; kind++) {
    sum += atomicExchange(&kind_counts[kind], sum);
  }
}

@compute @workgroup_size(GROUP)
fn sort_materials(
  @builtin(global_invocation_id) gid: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  if (lane < MATERIAL_KINDS) {
    atomicStore(&group_kinds[lane], 0u);
  }
  workgroupBarrier();
  let live = gid.x < atomicLoad(&counters.live);
  var kind = KIND_MISS;
  var rank = 0u;
  if (live) {
    kind = kind_of(gid.x);
    rank = atomicAdd(&group_kinds[kind], 1u);
  }
  workgroupBarrier();
  if (lane < MATERIAL_KINDS) {
    group_bases[lane] = atomicAdd(&kind_counts[lane], atomicLoad(&group_kinds[lane]));
  }
  workgroupBarrier();
  if (live) {
    order[group_bases[kind] + rank] = gid.x;
  }
}

// ---------------------------------------------------------------------------------------------------
// Scattering
// ---------------------------------------------------------------------------------------------------

fn fresnel_schlick(cosine: f32, f0: vec3f) -> vec3f {
  let m = saturate(1.0 - cosine);
  let m2 = m * m;
  return f0 + (1.0 - f0) * (m2 * m2 * m);
}

fn fresnel_dielectric(cosine: f32, ratio: f32) -> f32 {
  let sine_2 = ratio * ratio * (1.0 - cosine * cosine);
  if (sine_2 >= 1.0) {
    return 1.0;
  }
  let transmitted = sqrt(1.0 - sine_2);
  let parallel = (cosine - ratio * transmitted) / (cosine + ratio * transmitted);
  let perpendicular = (ratio * cosine - transmitted) / (ratio * cosine + transmitted);
  return 0.5 * (parallel * parallel + perpendicular * perpendicular);
}

// A half vector from the visible normals of GGX (Heitz, 2018).
fn sample_ggx(view: vec3f, alpha: f32, u: vec2f) -> vec3f {
  let stretched = normalize(vec3f(alpha * view.xy, view.z));
  let squared = dot(stretched.xy, stretched.xy);
  var t1 = vec3f(1.0, 0.0, 0.0);
  if (squared > 0.0) {
    t1 = vec3f(-stretched.y, stretched.x, 0.0) * inverseSqrt(squared);
  }
  let t2 = cross(stretched, t1);
  var d = disc(u);
  let s = 0.5 * (1.0 + stretched.z);
  d.y = mix(sqrt(max(1.0 - d.x * d.x, 0.0)), d.y, s);
  let height = sqrt(max(1.0 - dot(d, d), 0.0));
  let half_vector = d.x * t1 + d.y * t2 + height * stretched;
  return normalize(vec3f(alpha * half_vector.xy, max(half_vector.z, 0.0)));
}

fn smith_lambda(direction: vec3f, alpha: f32) -> f32 {
  let cosine_2 = direction.z * direction.z;
  let tangent_2 = (1.0 - cosine_2) / max(cosine_2, 1e-7);
  return 0.5 * (sqrt(1.0 + alpha * alpha * tangent_2) - 1.0);
}

fn to_local(direction: vec3f, normal: vec3f) -> vec3f {
  var tangent: vec3f;
  var bitangent: vec3f;
  tangents(normal, &tangent, &bitangent);
  return vec3f(dot(direction, tangent), dot(direction, bitangent), dot(direction, normal));
}

fn scatter_diffuse(color: vec3f, normal: vec3f) -> Scatter {
  let local = cosine_direction(random_2d());
  return Scatter(to_world(local, normal), color, local.z * INVERSE_PI);
}

fn scatter_metal(color: vec3f, roughness: f32, incoming: vec3f, normal: vec3f) -> Scatter {
  let alpha = max(roughness * roughness, 1e-3);
  let view = to_local(-incoming, normal);
  let half_vector = sample_ggx(view, alpha, random_2d());
  let outgoing = reflect(-view, half_vector);
  if (outgoing.z <= 0.0) {
    return Scatter(normal, vec3f(), 0.0);
  }
  let lambda_view = smith_lambda(view, alpha);
  let masking = (1.0 + lambda_view) / (1.0 + lambda_view + smith_lambda(outgoing, alpha));
  let weight = fresnel_schlick(dot(view, half_vector), color) * masking;
  return Scatter(to_world(outgoing, normal), weight, 0.0);
}

fn scatter_glass(material: Material, incoming: vec3f, surface: Surface) -> Scatter {
  let ratio = select(material.ior, 1.0 / material.ior, surface.front);
  let cosine = min(dot(-incoming, surface.normal), 1.0);
  if (random() < fresnel_dielectric(cosine, ratio)) {
    return Scatter(reflect(incoming, surface.normal), vec3f(1.0), 0.0);
  }
  return Scatter(refract(incoming, surface.normal, ratio), material.color, 0.0);
}

fn scatter_material(material: Material, incoming: vec3f, surface: Surface, color: vec3f) -> Scatter {
  switch (material.kind) {
    case KIND_METAL: {
      return scatter_metal(color, material.roughness, incoming, surface.normal);
    }
    case KIND_GLASS: {
      return scatter_glass(material, incoming, surface);
    }
    case KIND_LAYERED: {
      let reflected = material.coat * fresnel_schlick(dot(-incoming, surface.normal), vec3f(0.04)).x;
      if (random() < reflected) {
        return scatter_metal(vec3f(1.0), material.roughness, incoming, surface.normal);
      }
      return scatter_diffuse(color, surface.normal);
    }
    case KIND_DIFFUSE, default: {
      return scatter_diffuse(color, surface.normal);
    }
  }
}

fn base_color(material: Material, uv: vec2f) -> vec3f {
  if (material.layer < 0) {
    return material.color;
  }
  return material.color * textureSampleLevel(albedo_maps, repeat_linear, uv, material.layer, 0.0).rgb;
}

fn sky(direction: vec3f) -> vec3f {
  let longitude = atan2(direction.z, direction.x) * (0.5 * INVERSE_PI) + 0.5;
  let latitude = acos(clamp(direction.y, -1.0, 1.0)) * INVERSE_PI;
  return textureSampleLevel(sky_map, repeat_linear, vec2f(longitude, latitude), 0.0).rgb;
}

// ---------------------------------------------------------------------------------------------------
// Shading
// ---------------------------------------------------------------------------------------------------

// The light whose share of the power a number in 0 … 1 falls on; lights are in falling order of power.
fn pick_light(u: f32, share: ptr<function, f32>) -> u32 {
  var total = 0.0;
  for (var i = 0u; i < frame.light_count; i++) {
    total += lights[i].power;
  }
  var left = u * total;
  var chosen = 0u;
  loop {
    if (chosen + 1u >= frame.light_count) {
      break;
    }
    let power = lights[chosen].power;
    if (left < power) {
      break;
    }
    left -= power;
    continuing {
      chosen++;
    }
  }
  *share = lights[chosen].power / total;
  return chosen;
}

// Puts a shadow ray towards a random point of a light into the queue.
fn queue_shadow_ray(pixel: u32, surface: Surface, reflectance: vec3f) {
  if (frame.light_count == 0u) {
    return;
  }
  var share: f32;
  let light = pick_light(random(), &share);
  var u = random_2d();
  if (u.x + u.y > 1.0) {
    u = 1.0 - u;
  }
  let point = lights[light].corner + lights[light].edge_1 * u.x + lights[light].edge_2 * u.y;
  let offset = point - surface.position;
  let squared = dot(offset, offset);
  let direction = offset * inverseSqrt(squared);
  let normal = normalize(cross(lights[light].edge_1, lights[light].edge_2));
  let cosine_light = abs(dot(normal, direction));
  let cosine = dot(surface.normal, direction);
  if (cosine <= 0.0 || cosine_light < 1e-4) {
    return;
  }
  let density = share * squared / (cosine_light * lights[light].area);
  let weight = density / (density + cosine * INVERSE_PI);
  let emission = materials[triangles[lights[light].index].material].emission;
  let slot = atomicAdd(&counters.shadow, 1u);
  let lifted = surface.position + surface.normal * RAY_EPSILON;
  shadow_origins[slot] = vec4f(lifted, sqrt(squared) - 2.0 * RAY_EPSILON);
  shadow_directions[slot] = vec4f(direction, bitcast<f32>(pixel));
  shadow_radiance[slot] = vec4f(reflectance * emission * (cosine * INVERSE_PI * weight / density), 0.0);
}

// Weight of emission that a bounce found by itself, against the chance that a shadow ray finds it.
fn emission_weight(bounce_density: f32, distance: f32, cosine: f32) -> f32 {
  if (bounce_density <= 0.0) {
    return 1.0;
  }
  let light_density = distance * distance / max(cosine * f32(max(frame.light_count, 1u)), 1e-4);
  return bounce_density / (bounce_density + light_density);
}

fn queue_bounce(pixel: u32, origin: vec3f, scattered: Scatter, throughput: vec3f) {
  let slot = atomicAdd(&counters.next, 1u);
  next_origins[slot] = vec4f(origin + scattered.direction * RAY_EPSILON, bitcast<f32>(pixel));
  next_directions[slot] = vec4f(scattered.direction, scattered.density);
  next_throughputs[slot] = vec4f(throughput, 0.0);
}

@compute @workgroup_size(GROUP)
fn shade(@builtin(global_invocation_id) gid: vec3u) {
  if (gid.x >= atomicLoad(&counters.live)) {
    return;
  }
  let i = order[gid.x];
  let pixel = bitcast<u32>(ray_origins[i].w);
  let direction = ray_directions[i].xyz;
  var throughput = throughputs[i].xyz;
  let hit = hits[i];
  if (hit.triangle == NO_HIT) {
    radiance[pixel] += vec4f(throughput * sky(direction), 0.0);
    return;
  }

  let surface = surface_at(ray_origins[i].xyz, direction, hit);
  let material = materials[triangles[hit.triangle].material];
  if (frame.flags == 0u) {
    let texel = vec2u(pixel % frame.resolution.x, pixel / frame.resolution.x);
    textureStore(guides_out, texel, vec4f(surface.normal, hit.distance));
  }
  if (material.kind == KIND_EMITTER) {
    let weight = emission_weight(ray_directions[i].w, hit.distance, abs(dot(surface.normal, direction)));
    radiance[pixel] += vec4f(throughput * material.emission * weight, 0.0);
    return;
  }

  let bounce = frame.flags;
  if (bounce + 1u >= MAX_BOUNCES) {
    return;
  }
  seed_random(pixel, 1u + bounce);
  let color = base_color(material, surface.uv);
  if (material.kind == KIND_DIFFUSE || material.kind == KIND_LAYERED) {
    queue_shadow_ray(pixel, surface, throughput * color);
  }
  let scattered = scatter_material(material, direction, surface, color);
  throughput *= scattered.weight;
  if (bounce >= ROULETTE_START) {
    let survival = clamp(luminance(throughput), 0.05, 0.95);
    if (random() > survival) {
      return;
    }
    throughput /= survival;
  }
  if (all(throughput <= vec3f(1e-5))) {
    return;
  }
  queue_bounce(pixel, surface.position, scattered, throughput);
}

@compute @workgroup_size(GROUP)
fn connect(@builtin(global_invocation_id) gid: vec3u) {
  if (gid.x >= atomicLoad(&counters.shadow)) {
    return;
  }
  let ray = make_ray(
    shadow_origins[gid.x].xyz,
    shadow_directions[gid.x].xyz,
    shadow_origins[gid.x].w,
  );
  if (traverse(ray, true).triangle == NO_HIT) {
    let pixel = bitcast<u32>(shadow_directions[gid.x].w);
    radiance[pixel] += shadow_radiance[gid.x];
  }
}

// A bitonic sort of the lights of one block by falling power, in workgroup memory.
@compute @workgroup_size(LIGHTS_PER_SORT)
fn sort_lights(@builtin(local_invocation_index) lane: u32) {
  var key = NO_HIT;
  if (lane < frame.light_count) {
    key = ~bitcast<u32>(lights[lane].power); // positive floats keep their order as integers
  }
  light_keys[lane] = vec2u(key, lane);
  workgroupBarrier();
  for (var run = 2u; run <= LIGHTS_PER_SORT; run <<= 1u) {
    for (var distance = run / 2u; distance > 0u; distance >>= 1u) {
      let partner = lane ^ distance;
      let mine = light_keys[lane];
      let other = light_keys[partner];
      workgroupBarrier();
      let ascending = (lane & run) == 0u;
      let keep_smaller = (lane < partner) == ascending;
      let smaller = mine.x < other.x || (mine.x == other.x && mine.y < other.y);
      if (smaller != keep_smaller) {
        light_keys[lane] = other;
      }
      workgroupBarrier();
    }
  }
  var sorted_light: Light;
  if (lane < frame.light_count) {
    sorted_light = lights[light_keys[lane].y];
  }
  storageBarrier();
  if (lane < frame.light_count) {
    lights[lane] = sorted_light;
  }
}

// ---------------------------------------------------------------------------------------------------
// Accumulation and denoising
// ---------------------------------------------------------------------------------------------------

fn reproject(texel: vec2i, depth: f32) -> vec2f {
  let uv = (vec2f(texel) + 0.5) / vec2f(frame.resolution);
  let film = (uv * 2.0 - 1.0) * frame.tan_half_fov * vec2f(1.0, -1.0);
  let world = frame.camera_to_world * vec4f(normalize(vec3f(film, -1.0)) * depth, 1.0);
  let clip = frame.previous_clip * world;
  return clip.xy / clip.w * vec2f(0.5, -0.5) + 0.5;
}

@compute @workgroup_size(8, 8)
fn accumulate(@builtin(global_invocation_id) gid: vec3u) {
  if (any(gid.xy >= frame.resolution)) {
    return;
  }
  let texel = vec2i(gid.xy);
  let current = radiance[gid.y * frame.resolution.x + gid.x].rgb;
  let guide = textureLoad(guides, texel, 0);
  let previous = reproject(texel, guide.w);
  var samples = 1.0;
  var color = current;
  if (all(previous >= vec2f(0.0)) && all(previous <= vec2f(1.0)) && guide.w < FAR) {
    let old = textureSampleLevel(history, clamp_linear, previous, 0.0);
    samples = min(old.w + 1.0, 64.0);
    color = mix(old.rgb, current, 1.0 / samples);
  }
  textureStore(color_out, texel, vec4f(color, samples));
}

// Unpacks one layer of the network: the lanes take words in turn.
fn stage_layer(layer: u32, lane: u32) {
  for (var word = lane; word < WORDS_PER_LAYER; word += GROUP) {
    let packed = network_words[layer * WORDS_PER_LAYER + word];
    let scale = network_scales[layer * HIDDEN + word / WORDS_PER_ROW];
    for (var nibble = 0u; nibble < WEIGHTS_PER_WORD; nibble++) {
      let value = f16(extractBits(packed, nibble * 4u, 4u)) - 8.0h;
      layer_weights[word * WEIGHTS_PER_WORD + nibble] = value * scale;
    }
  }
}

// One layer: a product with the staged weights and a rectifier.
fn apply_layer(values: ptr<function, array<f16, HIDDEN>>, rectify: bool) {
  var results: array<f16, HIDDEN>;
  for (var row = 0u; row < HIDDEN; row++) {
    var sum = 0.0h;
    for (var column = 0u; column < HIDDEN; column += 4u) {
      let first = row * HIDDEN + column;
      sum = fma(layer_weights[first], (*values)[column], sum);
      sum = fma(layer_weights[first + 1u], (*values)[column + 1u], sum);
      sum = fma(layer_weights[first + 2u], (*values)[column + 2u], sum);
      sum = fma(layer_weights[first + 3u], (*values)[column + 3u], sum);
    }
    if (rectify) {
      sum = max(sum, 0.0h);
    }
    results[row] = sum;
  }
  *values = results;
}

fn gather_features(texel: vec2i, values: ptr<function, array<f16, HIDDEN>>) {
  let color = textureLoad(color_in, texel, 0);
  let guide = textureLoad(guides, texel, 0);
  let relative = log2(1.0 + max(color.rgb, vec3f(0.0)));
  let features = array<f32, FEATURES>(
    relative.x,
    relative.y,
    relative.z,
    inverseSqrt(max(color.w, 1.0)),
    guide.x,
    guide.y,
    guide.z,
    exp(-0.1 * guide.w),
    luminance(relative),
    fract(f32(texel.x) / 2.0),
    fract(f32(texel.y) / 2.0),
    1.0,
  );
  for (var i = 0u; i < FEATURES; i++) {
    (*values)[i] = f16(features[i]);
  }
}

// A small network a pixel predicts by how much to trust it; its four outputs scale the colour.
@compute @workgroup_size(8, 8)
fn denoise_network(
  @builtin(global_invocation_id) gid: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let inside = all(gid.xy < frame.resolution);
  let texel = vec2i(min(gid.xy, frame.resolution - 1u));
  var values: array<f16, HIDDEN>;
  gather_features(texel, &values);
  if (USE_NETWORK) {
    for (var layer = 0u; layer < NETWORK_LAYERS; layer++) {
      stage_layer(layer, lane);
      workgroupBarrier();
      apply_layer(&values, layer + 1u < NETWORK_LAYERS);
      workgroupBarrier();
    }
  }
  if (inside) {
    let color = textureLoad(color_in, texel, 0);
    let gain = 2.0 / (1.0 + exp(-vec3f(f32(values[0]), f32(values[1]), f32(values[2]))));
    let trust = 1.0 / (1.0 + exp(-f32(values[3])));
    textureStore(color_out, texel, vec4f(color.rgb * mix(vec3f(1.0), gain, trust), trust));
  }
}

fn similarity(a: vec4f, b: vec4f) -> f32 {
  let normals = pow(max(dot(a.xyz, b.xyz), 0.0), 32.0);
  let depths = exp(-abs(a.w - b.w) / max(0.05 * a.w, 1e-3));
  return normals * depths;
}

// An edge-stopping wavelet of 5 by 5 from a staged tile with a border of two.
@compute @workgroup_size(TILE, TILE)
fn denoise_wavelet(
  @builtin(workgroup_id) wid: vec3u,
  @builtin(local_invocation_id) lid: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let last = vec2i(frame.resolution) - 1;
  let origin = vec2i(wid.xy * TILE) - i32(BORDER);
  for (var slot = lane; slot < PADDED * PADDED; slot += TILE * TILE) {
    let inside = vec2i(vec2u(slot % PADDED, slot / PADDED));
    let texel = clamp((origin + inside) * WAVELET_STEP, vec2i(0), last);
    tile_color[slot] = textureLoad(color_in, texel, 0);
    tile_guide[slot] = textureLoad(guides, texel, 0);
  }
  workgroupBarrier();

  let texel = vec2i(wid.xy * TILE + lid.xy);
  if (any(texel > last)) {
    return;
  }
  let center = (lid.y + BORDER) * PADDED + lid.x + BORDER;
  let guide = tile_guide[center];
  var kernel = array<f32, 3>(0.375, 0.25, 0.0625);
  var sum = vec4f();
  var total = 0.0;
  for (var y = -2; y <= 2; y++) {
    for (var x = -2; x <= 2; x++) {
      let slot = u32(i32(center) + y * i32(PADDED) + x);
      let weight = kernel[abs(x)] * kernel[abs(y)] * similarity(guide, tile_guide[slot]);
      sum += tile_color[slot] * weight;
      total += weight;
    }
  }
  textureStore(color_out, texel, sum / max(total, 1e-6));
}

// ---------------------------------------------------------------------------------------------------
// Exposure and picture
// ---------------------------------------------------------------------------------------------------

@compute @workgroup_size(16, 16)
fn measure_exposure(
  @builtin(global_invocation_id) gid: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  atomicStore(&bins[lane], 0u);
  workgroupBarrier();
  if (all(gid.xy < frame.resolution)) {
    let value = luminance(textureLoad(color_in, vec2i(gid.xy), 0).rgb);
    var bin = 0u;
    if (value > 1e-4) {
      let stops = clamp((log2(value) + 10.0) / 20.0, 0.0, 1.0);
      bin = u32(stops * 254.0 + 1.0);
    }
    atomicAdd(&bins[bin], 1u);
  }
  workgroupBarrier();
  let count = atomicLoad(&bins[lane]);
  if (count > 0u) {
    atomicAdd(&luminance_bins[lane], count);
  }
}

@compute @workgroup_size(HISTOGRAM_BINS)
fn adapt_exposure(@builtin(local_invocation_index) lane: u32) {
  let dark = f32(atomicLoad(&luminance_bins[0]));
  bin_sums[lane] = f32(atomicLoad(&luminance_bins[lane])) * f32(lane);
  for (var step = HISTOGRAM_BINS / 2u; step > 0u; step >>= 1u) {
    workgroupBarrier();
    if (lane < step) {
      bin_sums[lane] += bin_sums[lane + step];
    }
  }
  if (lane == 0u) {
    let pixels = f32(frame.resolution.x * frame.resolution.y);
    let mean_bin = bin_sums[0] / max(pixels - dark, 1.0) - 1.0;
    let mean = exp2(mean_bin / 254.0 * 20.0 - 10.0);
    let wanted = 0.18 / max(mean, 1e-4) * exp2(frame.exposure_bias);
    exposure[1] = wanted;
    exposure[0] += (wanted - exposure[0]) * (1.0 - exp(-frame.time_step * EXPOSURE_SPEED));
  }
}

// Half the size, thirteen taps as five overlapping boxes.
@compute @workgroup_size(8, 8)
fn bloom_down(@builtin(global_invocation_id) gid: vec3u) {
  let size = textureDimensions(color_out);
  if (any(gid.xy >= size)) {
    return;
  }
  let texel = 1.0 / vec2f(textureDimensions(color_in));
  let uv = (vec2f(gid.xy) + 0.5) / vec2f(size);
  var sum = textureSampleLevel(color_in, clamp_linear, uv, 0.0) * 0.125;
  for (var corner = 0u; corner < 4u; corner++) {
    let side = vec2f(vec2u(corner & 1u, corner >> 1u)) * 2.0 - 1.0;
    sum += textureSampleLevel(color_in, clamp_linear, uv + side * texel, 0.0) * 0.125;
    sum += textureSampleLevel(color_in, clamp_linear, uv + side * texel * 2.0, 0.0) * 0.03125;
    let axis = select(vec2f(side.x, 0.0), vec2f(0.0, side.x), corner >= 2u);
    sum += textureSampleLevel(color_in, clamp_linear, uv + axis * texel * 2.0, 0.0) * 0.0625;
  }
  textureStore(color_out, gid.xy, sum);
}

// Filmic curve of Hable, 2010.
fn filmic(x: vec3f) -> vec3f {
  return (x * (0.15 * x + 0.05) + 0.004) / (x * (0.15 * x + 0.5) + 0.06) - 0.0666667;
}

fn to_srgb(linear: vec3f) -> vec3f {
  let low = linear * 12.92;
  let high = 1.055 * pow(max(linear, vec3f(1e-6)), vec3f(1.0 / 2.4)) - 0.055;
  return select(high, low, linear <= vec3f(0.0031308));
}

@compute @workgroup_size(8, 8)
fn present(@builtin(global_invocation_id) gid: vec3u) {
  if (any(gid.xy >= frame.resolution)) {
    return;
  }
  let uv = (vec2f(gid.xy) + 0.5) / vec2f(frame.resolution);
  let sharp = textureLoad(color_in, vec2i(gid.xy), 0).rgb;
  let glow = textureSampleLevel(history, clamp_linear, uv, 0.0).rgb;
  let color = mix(sharp, glow, frame.bloom) * exposure[0];
  let mapped = filmic(2.0 * color) / filmic(vec3f(11.2));
  seed_random(gid.y * frame.resolution.x + gid.x, 15u);
  let dither = (random() - 0.5) / 255.0;
  textureStore(picture, gid.xy, vec4f(to_srgb(saturate(mapped)) + dither, 1.0));
}
