// Gaussian splats: projection, tile binning by a radix sort, and a tile-based rasteriser.
//
// Order of a frame: project_splats, scan_blocks, scan_block_totals, emit_pairs; then for each of eight
// digits radix_count, radix_scan, radix_scatter; then find_ranges and draw_tiles. A pair's key holds
// the tile in its upper half and the depth in its lower half, so that one sort does both.

override SH_DEGREE: u32 = 2u;
override MIN_ALPHA: f32 = 0.00392156862;
override DEBUG_VIEW: u32 = 0u;

const TILE_SIDE = 16u;
const TILE_PIXELS = TILE_SIDE * TILE_SIDE;
const LANES = 256u;
const ITEMS = 8u; // pairs that a lane of the sort takes
const BLOCK_PAIRS = LANES * ITEMS;
const RADIX_BITS = 4u;
const DIGITS = 1u << RADIX_BITS;
const SH_COEFFICIENTS = 16u;
const SH_0 = 0.28209479177387814;
const SH_1 = 0.4886025119029199;
const VIEW_COLOR = 0u;
const VIEW_DEPTH = 1u;
const VIEW_OVERDRAW = 2u;
const VIEW_TILES = 3u;
const OPAQUE = 0.0001; // transmittance at which a pixel is done

struct View {
  world_to_view: mat4x4f,
  view_to_clip: mat4x4f,
  eye: vec3f,
  splat_count: u32,
  focal: vec2f,
  resolution: vec2u,
  tiles: vec2u,
  near: f32,
  far: f32,
  background: vec4f,
}

struct Pass {
  shift: u32, // first bit of the digit
  pairs: u32,
  blocks: u32,
  source: u32, // which of the two pair buffers is the input
}

struct Splat {
  position: vec3f,
  opacity: f32,
  rotation: vec4f,
  scale: vec3f,
  flags: u32,
}

// What the rasteriser needs of a splat, 48 bytes.
struct Projected {
  center: vec2f,
  depth: f32,
  opacity: f32,
  conic: vec3f, // upper triangle of the inverse covariance
  radius: f32,
  color: vec3f,
  tile_count: u32,
}

struct Pair {
  tile: u32,
  depth: u32,
  splat: u32,
}

struct TileRect {
  low: vec2u,
  high: vec2u, // exclusive
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> splats: array<Splat>;
@group(0) @binding(2) var<storage, read> harmonics: array<array<vec3f, SH_COEFFICIENTS>>;
@group(0) @binding(3) var<storage, read_write> projected: array<Projected>;
@group(0) @binding(4) var<storage, read_write> offsets: array<u32>; // first pair of each splat
@group(0) @binding(5) var<storage, read_write> block_sums: array<u32>;
@group(0) @binding(6) var<storage, read_write> pair_total: atomic<u32>;

@group(1) @binding(0) var<uniform> sort: Pass;
@group(1) @binding(1) var<storage, read_write> pairs_a: array<Pair>;
@group(1) @binding(2) var<storage, read_write> pairs_b: array<Pair>;
@group(1) @binding(3) var<storage, read_write> digit_counts: array<u32>; // digit by block

@group(2) @binding(0) var<storage, read_write> ranges: array<vec2u>; // first and end, by tile
@group(2) @binding(1) var image: texture_storage_2d<rgba8unorm, write>;

var<workgroup> scratch: array<u32, LANES>;
var<workgroup> digit_scratch: array<array<u32, LANES>, 4>; // four digits of 8 bits share a word
var<workgroup> digit_bases: array<u32, DIGITS>;
var<workgroup> batch_shape: array<vec4f, TILE_PIXELS>; // center and radius
var<workgroup> batch_conic: array<vec4f, TILE_PIXELS>; // conic and opacity
var<workgroup> batch_color: array<vec4f, TILE_PIXELS>; // color and depth
var<workgroup> pixels_done: atomic<u32>;
var<workgroup> batch_done: u32;
var<workgroup> tile_range: vec2u;

var<private> overdraw: u32;

// ---------------------------------------------------------------------------------------------------
// Projection
// ---------------------------------------------------------------------------------------------------

fn rotation_matrix(quaternion: vec4f) -> mat3x3f {
  let q = normalize(quaternion);
  let x = q.x;
  let y = q.y;
  let z = q.z;
  let w = q.w;
  return mat3x3f(
    vec3f(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)),
    vec3f(2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)),
    vec3f(2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)),
  );
}

fn covariance_3d(splat: Splat) -> mat3x3f {
  let r = rotation_matrix(splat.rotation);
  let scaled = mat3x3f(r[0] * splat.scale.x, r[1] * splat.scale.y, r[2] * splat.scale.z);
  return scaled * transpose(scaled);
}

// Covariance on the screen in pixels: xx, xy, yy, with the low-pass of a pixel.
fn covariance_2d(covariance: mat3x3f, at: vec3f) -> vec3f {
  let limit = 1.3 * vec2f(view.resolution) / (2.0 * view.focal);
  let xy = clamp(at.xy / at.z, -limit, limit) * at.z;
  let inverse_z = 1.0 / at.z;
  let jacobian = mat3x3f(
    vec3f(view.focal.x * inverse_z, 0.0, 0.0),
    vec3f(0.0, view.focal.y * inverse_z, 0.0),
    vec3f(-view.focal.x * xy.x * inverse_z * inverse_z, -view.focal.y * xy.y * inverse_z * inverse_z, 0.0),
  );
  let rotation = mat3x3f(view.world_to_view[0].xyz, view.world_to_view[1].xyz, view.world_to_view[2].xyz);
  let t = jacobian * rotation;
  let c = t * covariance * transpose(t);
  return vec3f(c[0].x + 0.3, c[0].y, c[1].y + 0.3);
}

// Colour from spherical harmonics up to the degree of the pipeline.
fn evaluate_harmonics(index: u32, direction: vec3f) -> vec3f {
  var color = SH_0 * harmonics[index][0];
  let x = direction.x;
  let y = direction.y;
  let z = direction.z;
  if (SH_DEGREE >= 1u) {
    color += SH_1 * (z * harmonics[index][2] - y * harmonics[index][1] - x * harmonics[index][3]);
  }
  if (SH_DEGREE >= 2u) {
    color += 1.0925484305920792 * x * y * harmonics[index][4];
    color -= 1.0925484305920792 * y * z * harmonics[index][5];
    color += 0.31539156525252005 * (2.0 * z * z - x * x - y * y) * harmonics[index][6];
    color -= 1.0925484305920792 * x * z * harmonics[index][7];
    color += 0.5462742152960396 * (x * x - y * y) * harmonics[index][8];
  }
  if (SH_DEGREE >= 3u) {
    color -= 0.5900435899266435 * y * (3.0 * x * x - y * y) * harmonics[index][9];
    color += 2.890611442640554 * x * y * z * harmonics[index][10];
    color -= 0.4570457994644658 * y * (4.0 * z * z - x * x - y * y) * harmonics[index][11];
    color += 0.3731763325901154 * z * (2.0 * z * z - 3.0 * x * x - 3.0 * y * y) * harmonics[index][12];
    color -= 0.4570457994644658 * x * (4.0 * z * z - x * x - y * y) * harmonics[index][13];
    color += 1.445305721320277 * z * (x * x - y * y) * harmonics[index][14];
    color -= 0.5900435899266435 * x * (x * x - 3.0 * y * y) * harmonics[index][15];
  }
  return max(color + 0.5, vec3f());
}

fn tiles_around(center: vec2f, radius: f32) -> TileRect {
  let side = f32(TILE_SIDE);
  let last = vec2f(view.tiles);
  let low = clamp(floor((center - radius) / side), vec2f(), last);
  let high = clamp(ceil((center + radius) / side), vec2f(), last);
  return TileRect(vec2u(low), vec2u(high));
}

fn rect_area(rect: TileRect) -> u32 {
  let extent = rect.high - rect.low;
  return extent.x * extent.y;
}

// Projects one splat into `result`; false if no pixel can see it.
fn project_one(index: u32, result: ptr<function, Projected>) -> bool {
  let splat = splats[index];
  let at = (view.world_to_view * vec4f(splat.position, 1.0)).xyz;
  if (at.z < view.near || at.z > view.far || splat.opacity < MIN_ALPHA) {
    return false;
  }
  let c = covariance_2d(covariance_3d(splat), at);
  let determinant_2d = c.x * c.z - c.y * c.y;
  if (determinant_2d <= 0.0) {
    return false;
  }
  let middle = 0.5 * (c.x + c.z);
  let spread = sqrt(max(middle * middle - determinant_2d, 0.1));
  let radius = ceil(sqrt(2.0 * log(splat.opacity / MIN_ALPHA) * (middle + spread)));
  let clip = view.view_to_clip * vec4f(at, 1.0);
  let center = (clip.xy / clip.w * vec2f(0.5, -0.5) + 0.5) * vec2f(view.resolution) - 0.5;
  let count = rect_area(tiles_around(center, radius));
  if (count == 0u) {
    return false;
  }
  (*result).center = center;
  (*result).depth = at.z;
  (*result).opacity = splat.opacity;
  (*result).conic = vec3f(c.z, -c.y, c.x) / determinant_2d;
  (*result).radius = radius;
  (*result).color = evaluate_harmonics(index, normalize(splat.position - view.eye));
  (*result).tile_count = count;
  return true;
}

@compute @workgroup_size(LANES)
fn project_splats(@builtin(global_invocation_id) gid: vec3u) {
  let index = gid.x;
  if (index >= view.splat_count) {
    return;
  }
  var result: Projected;
  if (!project_one(index, &result)) {
    result.tile_count = 0u;
  }
  projected[index] = result;
  offsets[index] = result.tile_count;
  atomicAdd(&pair_total, result.tile_count);
}

// ---------------------------------------------------------------------------------------------------
// Prefix sums
// ---------------------------------------------------------------------------------------------------

// Inclusive prefix sum over the workgroup, up and down a tree. Every lane must call it.
fn workgroup_prefix(value: u32, lane: u32) -> u32 {
  scratch[lane] = value;
  var stride = 1u;
  loop {
    workgroupBarrier();
    let index = (lane + 1u) * stride * 2u - 1u;
    if (index < LANES) {
      scratch[index] += scratch[index - stride];
    }
    continuing {
      stride *= 2u;
      break if stride >= LANES;
    }
  }
  stride = LANES / 4u;
  loop {
    workgroupBarrier();
    let index = (lane + 1u) * stride * 2u - 1u;
    if (index + stride < LANES) {
      scratch[index + stride] += scratch[index];
    }
    continuing {
      stride /= 2u;
      break if stride == 0u;
    }
  }
  workgroupBarrier();
  return scratch[lane];
}

@compute @workgroup_size(LANES)
fn scan_blocks(
  @builtin(global_invocation_id) gid: vec3u,
  @builtin(workgroup_id) wid: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  var count = 0u;
  if (gid.x < view.splat_count) {
    count = offsets[gid.x];
  }
  let sum = workgroup_prefix(count, lane);
  if (gid.x < view.splat_count) {
    offsets[gid.x] = sum - count;
  }
  if (lane == LANES - 1u) {
    block_sums[wid.x] = sum;
  }
}

// Exclusive prefix sums of the block sums, a workgroup walking over them.
@compute @workgroup_size(LANES)
fn scan_block_totals(@builtin(local_invocation_index) lane: u32) {
  let blocks = arrayLength(&block_sums);
  var carried = 0u;
  for (var first = 0u; first < blocks; first += LANES) {
    let block = first + lane;
    var count = 0u;
    if (block < blocks) {
      count = block_sums[block];
    }
    let sum = workgroup_prefix(count, lane);
    if (block < blocks) {
      block_sums[block] = carried + sum - count;
    }
    carried += scratch[LANES - 1u];
    workgroupBarrier();
  }
}

@compute @workgroup_size(LANES)
fn emit_pairs(
  @builtin(global_invocation_id) gid: vec3u,
  @builtin(workgroup_id) wid: vec3u,
) {
  if (gid.x >= view.splat_count) {
    return;
  }
  let splat = projected[gid.x];
  if (splat.tile_count == 0u) {
    return;
  }
  let rect = tiles_around(splat.center, splat.radius);
  var slot = block_sums[wid.x] + offsets[gid.x];
  for (var y = rect.low.y; y < rect.high.y; y++) {
    for (var x = rect.low.x; x < rect.high.x; x++) {
      if (slot >= arrayLength(&pairs_a)) {
        return;
      }
      pairs_a[slot] = Pair(y * view.tiles.x + x, bitcast<u32>(splat.depth), gid.x);
      slot++;
    }
  }
}

// ---------------------------------------------------------------------------------------------------
// Radix sort
// ---------------------------------------------------------------------------------------------------

fn load_pair(index: u32) -> Pair {
  if (sort.source == 0u) {
    return pairs_a[index];
  }
  return pairs_b[index];
}

fn store_pair(index: u32, pair: Pair) {
  if (sort.source == 0u) {
    pairs_b[index] = pair;
  } else {
    pairs_a[index] = pair;
  }
}

// The digit of a key at the pass's shift: the lower 32 bits are the depth, the upper the tile.
fn digit_of(pair: Pair) -> u32 {
  if (sort.shift < 32u) {
    return extractBits(pair.depth, sort.shift, RADIX_BITS);
  }
  return extractBits(pair.tile, sort.shift - 32u, RADIX_BITS);
}

// Adds one to the counter of a digit in a lane's own counters, four of eight bits in a word.
fn bump(counters: ptr<function, array<u32, 4>>, digit: u32) {
  (*counters)[digit / 4u] += 1u << ((digit % 4u) * 8u);
}

fn counter_of(counters: ptr<function, array<u32, 4>>, digit: u32) -> u32 {
  return ((*counters)[digit / 4u] >> ((digit % 4u) * 8u)) & 255u;
}

@compute @workgroup_size(LANES)
fn radix_count(
  @builtin(workgroup_id) wid: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  var counters: array<u32, 4>;
  let first = wid.x * BLOCK_PAIRS + lane * ITEMS;
  for (var item = 0u; item < ITEMS; item++) {
    if (first + item < sort.pairs) {
      bump(&counters, digit_of(load_pair(first + item)));
    }
  }
  for (var word = 0u; word < 4u; word++) {
    digit_scratch[word][lane] = counters[word];
  }
  workgroupBarrier();

  if (lane < DIGITS) {
    var total = 0u;
    for (var other = 0u; other < LANES; other++) {
      total += extractBits(digit_scratch[lane / 4u][other], (lane % 4u) * 8u, 8u);
    }
    digit_counts[lane * sort.blocks + wid.x] = total;
  }
}

// Exclusive prefix sums over all digits and blocks, digit by digit, by one workgroup.
@compute @workgroup_size(LANES)
fn radix_scan(@builtin(local_invocation_index) lane: u32) {
  let count = DIGITS * sort.blocks;
  var carried = 0u;
  for (var first = 0u; first < count; first += LANES) {
    let index = first + lane;
    let value = select(0u, digit_counts[min(index, count - 1u)], index < count);
    let sum = workgroup_prefix(value, lane);
    if (index < count) {
      digit_counts[index] = carried + sum - value;
    }
    carried += scratch[LANES - 1u];
    workgroupBarrier();
  }
}

@compute @workgroup_size(LANES)
fn radix_scatter(
  @builtin(workgroup_id) wid: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  if (lane < DIGITS) {
    digit_bases[lane] = digit_counts[lane * sort.blocks + wid.x];
  }

  var counters: array<u32, 4>;
  var digits: array<u32, ITEMS>;
  var pairs: array<Pair, ITEMS>;
  let first = wid.x * BLOCK_PAIRS + lane * ITEMS;
  let mine = select(0u, min(ITEMS, sort.pairs - first), first < sort.pairs);
  for (var item = 0u; item < mine; item++) {
    pairs[item] = load_pair(first + item);
    digits[item] = digit_of(pairs[item]);
    bump(&counters, digits[item]);
  }

  // Where the lane's first pair of each digit goes: the counts of all lanes before it.
  var places: array<u32, DIGITS>;
  for (var digit = 0u; digit < DIGITS; digit++) {
    let own = counter_of(&counters, digit);
    let sum = workgroup_prefix(own, lane);
    places[digit] = sum - own;
    workgroupBarrier();
  }

  for (var item = 0u; item < mine; item++) {
    let digit = digits[item];
    store_pair(digit_bases[digit] + places[digit], pairs[item]);
    places[digit]++;
  }
}

// ---------------------------------------------------------------------------------------------------
// Rasteriser
// ---------------------------------------------------------------------------------------------------

@compute @workgroup_size(LANES)
fn find_ranges(@builtin(global_invocation_id) gid: vec3u) {
  let i = gid.x;
  if (i >= sort.pairs) {
    return;
  }
  let tile = load_pair(i).tile;
  if (i == 0u || load_pair(max(i, 1u) - 1u).tile != tile) {
    ranges[tile].x = i;
  }
  if (i + 1u == sort.pairs || load_pair(min(i + 1u, sort.pairs - 1u)).tile != tile) {
    ranges[tile].y = i + 1u;
  }
}

// Copies one splat of the batch into workgroup memory.
fn stage_splat(slot: u32, pair: u32) {
  let splat = projected[load_pair(pair).splat];
  batch_shape[slot] = vec4f(splat.center, splat.radius, 0.0);
  batch_conic[slot] = vec4f(splat.conic, splat.opacity);
  batch_color[slot] = vec4f(splat.color, splat.depth);
}

fn splat_alpha(slot: u32, pixel: vec2f) -> f32 {
  let offset = pixel - batch_shape[slot].xy;
  let conic = batch_conic[slot];
  let power = -0.5 * (conic.x * offset.x * offset.x + conic.z * offset.y * offset.y)
    - conic.y * offset.x * offset.y;
  if (power > 0.0) {
    return 0.0;
  }
  return min(0.99, conic.w * exp(power));
}

// Blends the batch into `color`, front to back; returns the transmittance that is left.
fn blend_batch(count: u32, pixel: vec2f, before: f32, color: ptr<function, vec4f>) -> f32 {
  var transmittance = before;
  var slot = 0u;
  loop {
    if (slot >= count || transmittance < OPAQUE) {
      break;
    }
    let alpha = splat_alpha(slot, pixel);
    if (alpha < MIN_ALPHA) {
      continue;
    }
    *color += batch_color[slot] * (alpha * transmittance);
    transmittance *= 1.0 - alpha;
    overdraw++;
    continuing {
      slot++;
    }
  }
  return transmittance;
}

fn heat(value: f32) -> vec3f {
  let t = saturate(value);
  return saturate(vec3f(1.5 - abs(4.0 * t - 3.0), 1.5 - abs(4.0 * t - 2.0), 1.5 - abs(4.0 * t - 1.0)));
}

fn present(color: vec4f, transmittance: f32, pixel: vec2u, pairs: u32) -> vec4f {
  switch (DEBUG_VIEW) {
    case VIEW_DEPTH: {
      return vec4f(heat(color.w / view.far), 1.0);
    }
    case VIEW_OVERDRAW: {
      return vec4f(heat(f32(overdraw) / 64.0), 1.0);
    }
    case VIEW_TILES: {
      let edge = any(pixel % vec2u(TILE_SIDE) == vec2u());
      return vec4f(select(heat(f32(pairs) / 1024.0), vec3f(1.0), edge), 1.0);
    }
    case VIEW_COLOR, default: {
      return vec4f(color.rgb + transmittance * view.background.rgb, 1.0);
    }
  }
}

@compute @workgroup_size(TILE_SIDE, TILE_SIDE)
fn draw_tiles(
  @builtin(workgroup_id) wid: vec3u,
  @builtin(global_invocation_id) gid: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  if (lane == 0u) {
    tile_range = ranges[wid.y * view.tiles.x + wid.x];
    atomicStore(&pixels_done, 0u);
  }
  let range = workgroupUniformLoad(&tile_range);
  let inside = all(gid.xy < view.resolution);
  let pixel = vec2f(gid.xy);

  var color = vec4f();
  var transmittance = select(0.0, 1.0, inside);
  var counted = false;
  for (var first = range.x; first < range.y; first += TILE_PIXELS) {
    if (transmittance < OPAQUE && !counted) {
      atomicAdd(&pixels_done, 1u);
      counted = true;
    }
    if (first + lane < range.y) {
      stage_splat(lane, first + lane);
    }
    workgroupBarrier();
    transmittance = blend_batch(min(TILE_PIXELS, range.y - first), pixel, transmittance, &color);
    if (lane == 0u) {
      batch_done = atomicLoad(&pixels_done);
    }
    if (workgroupUniformLoad(&batch_done) == TILE_PIXELS) {
      break;
    }
  }

  if (inside) {
    textureStore(image, gid.xy, present(color, transmittance, gid.xy, range.y - range.x));
  }
}
