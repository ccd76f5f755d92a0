// One decoder layer of a transformer with four-bit weights: the kernels of a small inference engine.
//
// Weights are blocks of 32: four words of eight nibbles each and one half-precision scale. A weight is
// scale * (nibble - 8). Keys and values are cached in eight bits, one scale a row and head.
//
// Order of a step: rms_norm, matvec_q4 (query, key, value), rotate, append_cache, attend, matvec_q4,
// add_residual, rms_norm, matvec_q4 (gate, up), gate_up, matvec_q4 (down), add_residual. Prompts use
// matmul_q4 in place of matvec_q4. `pick_token` ends the step.

enable f16;

// Sizes that a model fixes when its pipelines are made.
override LANES: u32 = 128u;
override HEAD_DIM: u32 = 64u;
override HALF_HEAD: u32 = HEAD_DIM / 2u;
override CAUSAL: bool = true;
override ROPE_BASE: f32 = 10000.0;
override SOFT_CAP: f32 = 0.0;

const BLOCK = 32u; // weights of a block
const WORDS = 4u; // words of a block
const NIBBLES = 8u; // weights of a word
const TILE_M = 32u;
const TILE_N = 32u;
const TILE_K = 32u;
const ROWS_PER_GROUP = 4u;
const MAX_SUBGROUPS = 32u;
const KEYS_PER_STEP = 32u;
const LOWEST = -3.0e38;
const ACTIVATION_SILU = 0u;
const ACTIVATION_GELU = 1u;
const ACTIVATION_RELU = 2u;

struct LayerParams {
  rows: u32, // outputs of the projection
  columns: u32, // inputs of the projection, a multiple of 32
  tokens: u32, // tokens of the batch
  first_position: u32, // position of the batch's first token
  heads: u32,
  kv_heads: u32,
  cache_length: u32, // positions that the cache holds
  activation: u32,
  epsilon: f32,
  residual_scale: f32,
  temperature: f32,
  flags: u32,
}

struct TokenChoice {
  score: f32,
  token: u32,
}

struct OnlineSoftmax {
  highest: f32,
  total: f32,
}

@group(0) @binding(0) var<uniform> layer: LayerParams;
@group(0) @binding(1) var<storage, read> weight_words: array<vec4u>; // one a block
@group(0) @binding(2) var<storage, read> weight_scales: array<f16>; // one a block
@group(0) @binding(3) var<storage, read> norm_gain: array<f32>;

@group(1) @binding(0) var<storage, read> inputs: array<vec4f>; // tokens by columns / 4
@group(1) @binding(1) var<storage, read_write> outputs: array<f32>; // tokens by rows
@group(1) @binding(2) var<storage, read_write> stream: array<f32>; // the residual stream

@group(2) @binding(0) var<storage, read_write> queries: array<f32>; // tokens by heads by HEAD_DIM
@group(2) @binding(1) var<storage, read_write> fresh_keys: array<f32>; // tokens by kv_heads by HEAD_DIM
@group(2) @binding(2) var<storage, read> fresh_values: array<f32>;
@group(2) @binding(3) var<storage, read_write> cache_keys: array<u32>; // four signed bytes a word
@group(2) @binding(4) var<storage, read_write> cache_values: array<u32>;
@group(2) @binding(5) var<storage, read_write> cache_scales: array<vec2f>; // of the key and of the value
@group(2) @binding(6) var<storage, read_write> attended: array<f32>;

@group(3) @binding(0) var<storage, read> logits: array<f32>;
@group(3) @binding(1) var<storage, read_write> choice: TokenChoice;

var<workgroup> subgroup_sums: array<f32, MAX_SUBGROUPS>;
var<workgroup> row_sums: array<vec4f, MAX_SUBGROUPS>;
var<workgroup> tile_inputs: array<array<f16, TILE_K>, TILE_M>;
var<workgroup> tile_weights: array<array<f16, TILE_K>, TILE_N>;
var<workgroup> query_row: array<f32, HEAD_DIM>;
var<workgroup> key_scores: array<f32, KEYS_PER_STEP>;
var<workgroup> value_sums: array<f32, HEAD_DIM>;
var<workgroup> softmax_state: OnlineSoftmax;
var<workgroup> row_scale: f32;
var<workgroup> best_scores: array<f32, MAX_SUBGROUPS>;
var<workgroup> best_tokens: array<u32, MAX_SUBGROUPS>;

// ---------------------------------------------------------------------------------------------------
// Dequantisation
// ---------------------------------------------------------------------------------------------------

// The four weights in the low half of a word, without their scale.
fn low_nibbles(word: u32) -> vec4f {
  let nibbles = (vec4u(word) >> vec4u(0u, 4u, 8u, 12u)) & vec4u(15u);
  return vec4f(nibbles) - 8.0;
}

// The four weights in the high half of a word, without their scale.
fn high_nibbles(word: u32) -> vec4f {
  return low_nibbles(word >> 16u);
}

// The same, from a word of four signed bytes.
fn signed_bytes(word: u32) -> vec4f {
  let shifted = vec4i(bitcast<i32>(word)) << vec4u(24u, 16u, 8u, 0u);
  return vec4f(shifted >> vec4u(24u));
}

fn pack_signed_bytes(values: vec4f, inverse_scale: f32) -> u32 {
  let rounded = vec4i(round(clamp(values * inverse_scale, vec4f(-127.0), vec4f(127.0))));
  let bytes = vec4u(rounded) & vec4u(255u);
  return bytes.x | (bytes.y << 8u) | (bytes.z << 16u) | (bytes.w << 24u);
}

// Dot product of one block of weights with 32 inputs that start at vector `first`.
fn block_dot(block: u32, first: u32) -> f32 {
  let words = weight_words[block];
  let scale = f32(weight_scales[block]);
  var sum = 0.0;
  for (var word = 0u; word < WORDS; word++) {
    let packed = words[word];
    sum += dot(low_nibbles(packed), inputs[first + 2u * word]);
    sum += dot(high_nibbles(packed), inputs[first + 2u * word + 1u]);
  }
  return sum * scale;
}

// One dequantised weight; used at the ragged edge of a tile.
fn single_weight(row: u32, column: u32) -> f16 {
  let block = row * (layer.columns / BLOCK) + column / BLOCK;
  let inside = column % BLOCK;
  let packed = weight_words[block][inside / NIBBLES];
  let nibble = extractBits(packed, (inside % NIBBLES) * 4u, 4u);
  return weight_scales[block] * (f16(nibble) - 8.0h);
}

// ---------------------------------------------------------------------------------------------------
// Sums over a workgroup
// ---------------------------------------------------------------------------------------------------

// Sum over the workgroup, in every lane. `subgroup_sums` is free again when it returns.
fn workgroup_sum(value: f32, lane: u32, subgroup_lane: u32, subgroup_size: u32) -> f32 {
  let partial = subgroupAdd(value);
  if (subgroup_lane == 0u) {
    subgroup_sums[lane / subgroup_size] = partial;
  }
  workgroupBarrier();
  let subgroups = (LANES + subgroup_size - 1u) / subgroup_size;
  var total = 0.0;
  for (var index = 0u; index < subgroups; index++) {
    total += subgroup_sums[index];
  }
  workgroupBarrier();
  return total;
}

// ---------------------------------------------------------------------------------------------------
// Normalisation
// ---------------------------------------------------------------------------------------------------

@compute @workgroup_size(LANES)
fn rms_norm(
  @builtin(workgroup_id) wid: vec3u,
  @builtin(local_invocation_index) lane: u32,
  @builtin(subgroup_invocation_id) subgroup_lane: u32,
  @builtin(subgroup_size) subgroup_size: u32,
) {
  let first = wid.x * layer.columns;
  var squares = 0.0;
  for (var column = lane; column < layer.columns; column += LANES) {
    let value = stream[first + column];
    squares = fma(value, value, squares);
  }
  let total = workgroup_sum(squares, lane, subgroup_lane, subgroup_size);
  let scale = inverseSqrt(total / f32(layer.columns) + layer.epsilon);
  for (var column = lane; column < layer.columns; column += LANES) {
    outputs[first + column] = stream[first + column] * scale * norm_gain[column];
  }
}

@compute @workgroup_size(LANES)
fn add_residual(@builtin(global_invocation_id) gid: vec3u) {
  let i = gid.x;
  if (i >= arrayLength(&stream) || i >= layer.tokens * layer.rows) {
    return;
  }
  stream[i] = fma(outputs[i], layer.residual_scale, stream[i]);
}

// ---------------------------------------------------------------------------------------------------
// Projections
// ---------------------------------------------------------------------------------------------------

// One token: a workgroup computes four rows, its lanes share the blocks of each.
@compute @workgroup_size(LANES)
fn matvec_q4(
  @builtin(workgroup_id) wid: vec3u,
  @builtin(local_invocation_index) lane: u32,
  @builtin(subgroup_invocation_id) subgroup_lane: u32,
  @builtin(subgroup_size) subgroup_size: u32,
) {
  let blocks = layer.columns / BLOCK;
  let first_row = wid.x * ROWS_PER_GROUP;
  let token = wid.y;
  let first_input = token * (layer.columns / 4u);

  var sums: array<f32, ROWS_PER_GROUP>;
  for (var block = lane; block < blocks; block += LANES) {
    let input = first_input + block * (BLOCK / 4u);
    for (var row = 0u; row < ROWS_PER_GROUP; row++) {
      if (first_row + row < layer.rows) {
        sums[row] += block_dot((first_row + row) * blocks + block, input);
      }
    }
  }

  let reduced = subgroupAdd(vec4f(sums[0], sums[1], sums[2], sums[3]));
  if (subgroup_lane == 0u) {
    row_sums[lane / subgroup_size] = reduced;
  }
  workgroupBarrier();

  if (lane < ROWS_PER_GROUP && first_row + lane < layer.rows) {
    let subgroups = (LANES + subgroup_size - 1u) / subgroup_size;
    var total = 0.0;
    for (var index = 0u; index < subgroups; index++) {
      total += row_sums[index][lane];
    }
    outputs[token * layer.rows + first_row + lane] = total;
  }
}

// Loads a tile of 32 tokens by 32 inputs as halves; the lanes of 8 by 8 take 16 elements each.
fn stage_inputs(first_token: u32, first_column: u32, lane: u32) {
  for (var slot = lane; slot < TILE_M * TILE_K / 4u; slot += 64u) {
    let token = first_token + slot / (TILE_K / 4u);
    let quad = slot % (TILE_K / 4u);
    var values = vec4f();
    if (token < layer.tokens) {
      values = inputs[token * (layer.columns / 4u) + first_column / 4u + quad];
    }
    let halves = vec4<f16>(values);
    let row = slot / (TILE_K / 4u);
    tile_inputs[row][quad * 4u] = halves.x;
    tile_inputs[row][quad * 4u + 1u] = halves.y;
    tile_inputs[row][quad * 4u + 2u] = halves.z;
    tile_inputs[row][quad * 4u + 3u] = halves.w;
  }
}

// Dequantises a tile of 32 rows by one block; a lane unpacks two words.
fn stage_weights(first_row: u32, block_column: u32, lane: u32) {
  let blocks = layer.columns / BLOCK;
  for (var slot = lane; slot < TILE_N * WORDS; slot += 64u) {
    let row = slot / WORDS;
    let word = slot % WORDS;
    var low = vec4<f16>();
    var high = vec4<f16>();
    if (first_row + row < layer.rows) {
      let block = (first_row + row) * blocks + block_column;
      let scale = weight_scales[block];
      let packed = weight_words[block][word];
      low = vec4<f16>(low_nibbles(packed)) * scale;
      high = vec4<f16>(high_nibbles(packed)) * scale;
    }
    let first = word * NIBBLES;
    for (var i = 0u; i < 4u; i++) {
      tile_weights[row][first + i] = low[i];
      tile_weights[row][first + 4u + i] = high[i];
    }
  }
}

// Many tokens: tiles of 32 by 32 outputs, four by four in each of 64 lanes.
@compute @workgroup_size(8, 8)
fn matmul_q4(
  @builtin(workgroup_id) wid: vec3u,
  @builtin(local_invocation_id) lid: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let first_token = wid.y * TILE_M;
  let first_row = wid.x * TILE_N;
  let steps = layer.columns / TILE_K;

  var acc: array<vec4f, 4>;
  for (var step = 0u; step < steps; step++) {
    stage_inputs(first_token, step * TILE_K, lane);
    stage_weights(first_row, step, lane);
    workgroupBarrier();

    for (var k = 0u; k < TILE_K; k++) {
      let weights = vec4f(
        f32(tile_weights[lid.x][k]),
        f32(tile_weights[lid.x + 8u][k]),
        f32(tile_weights[lid.x + 16u][k]),
        f32(tile_weights[lid.x + 24u][k]),
      );
      acc[0] = fma(vec4f(f32(tile_inputs[lid.y][k])), weights, acc[0]);
      acc[1] = fma(vec4f(f32(tile_inputs[lid.y + 8u][k])), weights, acc[1]);
      acc[2] = fma(vec4f(f32(tile_inputs[lid.y + 16u][k])), weights, acc[2]);
      acc[3] = fma(vec4f(f32(tile_inputs[lid.y + 24u][k])), weights, acc[3]);
    }
    workgroupBarrier();
  }

  for (var i = 0u; i < 4u; i++) {
    let token = first_token + lid.y + 8u * i;
    if (token >= layer.tokens) {
      break;
    }
    for (var j = 0u; j < 4u; j++) {
      let row = first_row + lid.x + 8u * j;
      if (row >= layer.rows) {
        continue;
      }
      outputs[token * layer.rows + row] = acc[i][j];
    }
  }
}

// The columns past the last whole block, for models whose width is no multiple of the tile.
@compute @workgroup_size(64)
fn matmul_q4_tail(@builtin(global_invocation_id) gid: vec3u) {
  let row = gid.x;
  let token = gid.y;
  if (row >= layer.rows || token >= layer.tokens) {
    return;
  }
  let first = (layer.columns / TILE_K) * TILE_K;
  var sum = 0.0h;
  for (var column = first; column < layer.columns; column++) {
    let value = inputs[token * (layer.columns / 4u) + column / 4u][column % 4u];
    sum = fma(single_weight(row, column), f16(value), sum);
  }
  outputs[token * layer.rows + row] += f32(sum);
}

// ---------------------------------------------------------------------------------------------------
// Positions and cache
// ---------------------------------------------------------------------------------------------------

// Rotates a pair of coordinates by an angle.
fn rotate_pair(pair: vec2f, angle: f32) -> vec2f {
  let s = sin(angle);
  let c = cos(angle);
  return vec2f(pair.x * c - pair.y * s, pair.x * s + pair.y * c);
}

// Rotary position embedding: lane x is a pair of a head, y a head of queries or keys, z a token.
@compute @workgroup_size(32)
fn rotate(@builtin(global_invocation_id) gid: vec3u) {
  let pair = gid.x;
  let head = gid.y;
  let token = gid.z;
  if (pair >= HALF_HEAD || head >= layer.heads + layer.kv_heads) {
    return;
  }
  let position = f32(layer.first_position + token);
  let angle = position * pow(ROPE_BASE, -2.0 * f32(pair) / f32(HEAD_DIM));
  if (head < layer.heads) {
    let first = (token * layer.heads + head) * HEAD_DIM + pair;
    let rotated = rotate_pair(vec2f(queries[first], queries[first + HALF_HEAD]), angle);
    queries[first] = rotated.x;
    queries[first + HALF_HEAD] = rotated.y;
  } else {
    let first = (token * layer.kv_heads + head - layer.heads) * HEAD_DIM + pair;
    let rotated = rotate_pair(vec2f(fresh_keys[first], fresh_keys[first + HALF_HEAD]), angle);
    fresh_keys[first] = rotated.x;
    fresh_keys[first + HALF_HEAD] = rotated.y;
  }
}

fn key_quad(first: u32) -> vec4f {
  return vec4f(fresh_keys[first], fresh_keys[first + 1u], fresh_keys[first + 2u], fresh_keys[first + 3u]);
}

fn value_quad(first: u32) -> vec4f {
  return vec4f(
    fresh_values[first],
    fresh_values[first + 1u],
    fresh_values[first + 2u],
    fresh_values[first + 3u],
  );
}

fn largest_component(values: vec4f) -> f32 {
  let magnitudes = abs(values);
  return max(max(magnitudes.x, magnitudes.y), max(magnitudes.z, magnitudes.w));
}

// Quantises the fresh keys and values of one token and head, one lane for four coordinates. The lanes
// share their maximum through the subgroup, which has to hold all sixteen.
@compute @workgroup_size(16)
fn append_cache(
  @builtin(workgroup_id) wid: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let head = wid.x;
  let token = wid.y;
  let quads = HEAD_DIM / 4u;
  let fresh = (token * layer.kv_heads + head) * HEAD_DIM;
  let row = (layer.first_position + token) * layer.kv_heads + head;

  var largest = vec2f();
  for (var quad = lane; quad < quads; quad += 16u) {
    let magnitudes = vec2f(
      largest_component(key_quad(fresh + 4u * quad)),
      largest_component(value_quad(fresh + 4u * quad)),
    );
    largest = max(largest, magnitudes);
  }
  largest = subgroupMax(largest);
  let scales = max(largest, vec2f(1e-6)) / 127.0;

  for (var quad = lane; quad < quads; quad += 16u) {
    cache_keys[row * quads + quad] = pack_signed_bytes(key_quad(fresh + 4u * quad), 1.0 / scales.x);
    cache_values[row * quads + quad] = pack_signed_bytes(value_quad(fresh + 4u * quad), 1.0 / scales.y);
  }
  if (lane == 0u) {
    cache_scales[row] = scales;
  }
}

// ---------------------------------------------------------------------------------------------------
// Attention
// ---------------------------------------------------------------------------------------------------

fn query_key_score(row: u32) -> f32 {
  let quads = HEAD_DIM / 4u;
  var sum = 0.0;
  for (var quad = 0u; quad < quads; quad++) {
    let key = signed_bytes(cache_keys[row * quads + quad]);
    let query = vec4f(
      query_row[4u * quad],
      query_row[4u * quad + 1u],
      query_row[4u * quad + 2u],
      query_row[4u * quad + 3u],
    );
    sum += dot(key, query);
  }
  var score = sum * cache_scales[row].x * inverseSqrt(f32(HEAD_DIM));
  if (SOFT_CAP > 0.0) {
    score = SOFT_CAP * tanh(score / SOFT_CAP);
  }
  return score;
}

// Joins the scores of one step with the softmax so far; lane 0 does it for the workgroup.
fn join_softmax(keys: u32) {
  var highest = softmax_state.highest;
  for (var key = 0u; key < keys; key++) {
    highest = max(highest, key_scores[key]);
  }
  let correction = exp(softmax_state.highest - highest);
  var total = softmax_state.total * correction;
  for (var key = 0u; key < keys; key++) {
    let weight = exp(key_scores[key] - highest);
    key_scores[key] = weight;
    total += weight;
  }
  softmax_state = OnlineSoftmax(highest, total);
  row_scale = correction;
}

// One workgroup for one query head of one token; the softmax is kept up while keys stream past.
@compute @workgroup_size(64)
fn attend(
  @builtin(workgroup_id) wid: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let head = wid.x;
  let token = wid.y;
  let kv_head = head / (layer.heads / layer.kv_heads);
  let quads = HEAD_DIM / 4u;
  let first_query = (token * layer.heads + head) * HEAD_DIM;
  for (var i = lane; i < HEAD_DIM; i += 64u) {
    query_row[i] = queries[first_query + i];
    value_sums[i] = 0.0;
  }
  if (lane == 0u) {
    softmax_state = OnlineSoftmax(LOWEST, 0.0);
  }
  workgroupBarrier();

  var keys_end = layer.cache_length;
  if (CAUSAL) {
    keys_end = min(keys_end, layer.first_position + token + 1u);
  }
  for (var first_key = 0u; first_key < keys_end; first_key += KEYS_PER_STEP) {
    let keys = min(KEYS_PER_STEP, keys_end - first_key);
    if (lane < keys) {
      key_scores[lane] = query_key_score((first_key + lane) * layer.kv_heads + kv_head);
    }
    workgroupBarrier();
    if (lane == 0u) {
      join_softmax(keys);
    }
    workgroupBarrier();

    for (var i = lane; i < HEAD_DIM; i += 64u) {
      var sum = value_sums[i] * row_scale;
      for (var key = 0u; key < keys; key++) {
        let row = (first_key + key) * layer.kv_heads + kv_head;
        let value = signed_bytes(cache_values[row * quads + i / 4u])[i % 4u];
        sum = fma(key_scores[key] * cache_scales[row].y, value, sum);
      }
      value_sums[i] = sum;
    }
    workgroupBarrier();
  }

  let inverse_total = 1.0 / softmax_state.total;
  for (var i = lane; i < HEAD_DIM; i += 64u) {
    attended[first_query + i] = value_sums[i] * inverse_total;
  }
}

// ---------------------------------------------------------------------------------------------------
// Feed-forward
// ---------------------------------------------------------------------------------------------------

fn activate(value: f32, kind: u32) -> f32 {
  switch (kind) {
    case ACTIVATION_SILU: {
      return value / (1.0 + exp(-value));
    }
    case ACTIVATION_GELU: {
      let inner = 0.7978845608 * (value + 0.044715 * value * value * value);
      return 0.5 * value * (1.0 + tanh(inner));
    }
    case ACTIVATION_RELU, default: {
      return max(value, 0.0);
    }
  }
}

// The first half of a row is the gate, the second half what it gates.
@compute @workgroup_size(LANES)
fn gate_up(@builtin(global_invocation_id) gid: vec3u) {
  let column = gid.x;
  let token = gid.y;
  let width = layer.rows / 2u;
  if (column >= width || token >= layer.tokens) {
    return;
  }
  let first = token * layer.rows;
  let gate = activate(outputs[first + column], layer.activation);
  stream[token * width + column] = gate * outputs[first + width + column];
}

// ---------------------------------------------------------------------------------------------------
// Choosing a token
// ---------------------------------------------------------------------------------------------------

fn better(candidate: TokenChoice, incumbent: TokenChoice) -> bool {
  return candidate.score > incumbent.score
    || (candidate.score == incumbent.score && candidate.token < incumbent.token);
}

// The largest logit, the first of equals: by lane, by subgroup, by workgroup.
@compute @workgroup_size(LANES)
fn pick_token(
  @builtin(local_invocation_index) lane: u32,
  @builtin(subgroup_invocation_id) subgroup_lane: u32,
  @builtin(subgroup_size) subgroup_size: u32,
) {
  let vocabulary = arrayLength(&logits);
  var best = TokenChoice(LOWEST, 0xffffffffu);
  for (var token = lane; token < vocabulary; token += LANES) {
    let candidate = TokenChoice(logits[token] / layer.temperature, token);
    if (better(candidate, best)) {
      best = candidate;
    }
  }

  let highest = subgroupMax(best.score);
  let token = subgroupMin(select(0xffffffffu, best.token, best.score == highest));
  if (subgroup_lane == 0u) {
    best_scores[lane / subgroup_size] = highest;
    best_tokens[lane / subgroup_size] = token;
  }
  workgroupBarrier();

  if (lane == 0u) {
    var winner = TokenChoice(best_scores[0], best_tokens[0]);
    let subgroups = (LANES + subgroup_size - 1u) / subgroup_size;
    var index = 1u;
    loop {
      if (index >= subgroups) {
        break;
      }
      let candidate = TokenChoice(best_scores[index], best_tokens[index]);
      if (better(candidate, winner)) {
        winner = candidate;
      }
      continuing {
        index++;
      }
    }
    choice = winner;
  }
}
