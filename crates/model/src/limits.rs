//! WebGPU's default limits: what every adapter grants without being asked.
//!
//! Source: WebGPU specification (W3C), section “Limits”, column “Default”. Fields keep the
//! specification's names in this language's case; sizes and alignments are in bytes. Start at
//! [`Limits::DEFAULT`].

/// Limits of a device that bear on compute kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Workgroup memory of one workgroup.
    pub max_compute_workgroup_storage_size: u32,
    /// Invocations of one workgroup: the product of its sides.
    pub max_compute_invocations_per_workgroup: u32,
    /// Side of a workgroup along x.
    pub max_compute_workgroup_size_x: u32,
    /// Side of a workgroup along y.
    pub max_compute_workgroup_size_y: u32,
    /// Side of a workgroup along z.
    pub max_compute_workgroup_size_z: u32,
    /// Workgroups of a dispatch along each dimension.
    pub max_compute_workgroups_per_dimension: u32,
    /// Size of one storage binding.
    pub max_storage_buffer_binding_size: u64,
    /// Size of one uniform binding.
    pub max_uniform_buffer_binding_size: u64,
    /// Size of one buffer.
    pub max_buffer_size: u64,
    /// Storage buffers that one stage sees.
    pub max_storage_buffers_per_shader_stage: u32,
    /// Uniform buffers that one stage sees.
    pub max_uniform_buffers_per_shader_stage: u32,
    /// Sampled textures that one stage sees.
    pub max_sampled_textures_per_shader_stage: u32,
    /// Storage textures that one stage sees.
    pub max_storage_textures_per_shader_stage: u32,
    /// Samplers that one stage sees.
    pub max_samplers_per_shader_stage: u32,
    /// Bind groups of a pipeline.
    pub max_bind_groups: u32,
    /// Alignment of the offset of a storage binding.
    pub min_storage_buffer_offset_alignment: u32,
    /// Alignment of the offset of a uniform binding.
    pub min_uniform_buffer_offset_alignment: u32,
}

impl Limits {
    /// The defaults.
    pub const DEFAULT: Limits = Limits {
        max_compute_workgroup_storage_size: 16_384,
        max_compute_invocations_per_workgroup: 256,
        max_compute_workgroup_size_x: 256,
        max_compute_workgroup_size_y: 256,
        max_compute_workgroup_size_z: 64,
        max_compute_workgroups_per_dimension: 65_535,
        max_storage_buffer_binding_size: 128 << 20,
        max_uniform_buffer_binding_size: 64 << 10,
        max_buffer_size: 256 << 20,
        max_storage_buffers_per_shader_stage: 8,
        max_uniform_buffers_per_shader_stage: 12,
        max_sampled_textures_per_shader_stage: 16,
        max_storage_textures_per_shader_stage: 4,
        max_samplers_per_shader_stage: 16,
        max_bind_groups: 4,
        min_storage_buffer_offset_alignment: 256,
        min_uniform_buffer_offset_alignment: 256,
    };

    /// Elements of `element_bytes` that one storage binding holds; none for elements of no size.
    pub fn elements_in_storage_binding(&self, element_bytes: u64) -> Option<u64> {
        self.max_storage_buffer_binding_size
            .checked_div(element_bytes)
    }

    /// Whether a workgroup of this size is allowed.
    pub fn allows_workgroup_size(&self, [x, y, z]: [u32; 3]) -> bool {
        x <= self.max_compute_workgroup_size_x
            && y <= self.max_compute_workgroup_size_y
            && z <= self.max_compute_workgroup_size_z
            && x.saturating_mul(y).saturating_mul(z) <= self.max_compute_invocations_per_workgroup
    }
}
