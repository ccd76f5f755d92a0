//! Textures: counted, but they hold nothing but zeros.

use cresta_ir::{Kind, TextureOperation, TextureQuery};

use super::interpreter::Interpreter;
use super::mask::Mask;

impl Interpreter<'_> {
    pub(super) fn texture(&mut self, kind: &Kind, mask: &Mask) {
        let Kind::Texture {
            operation,
            targets,
            access: id,
            ..
        } = kind
        else {
            return;
        };
        let access = self.kernel.access(*id);
        let variable = self.kernel.variable(access.variable);
        let size = self.launch.texture_size(&variable.name);
        for (component, target) in targets.iter().enumerate() {
            let Some(target) = target else { continue };
            let bits = match operation {
                TextureOperation::Query(TextureQuery::Size) => size[component].into(),
                TextureOperation::Query(_) => 1,
                _ => 0,
            };
            for &lane in &mask.lanes {
                self.write(*target, lane, bits);
            }
        }
        if matches!(operation, TextureOperation::Query(_)) {
            return;
        }
        let counts = &mut self.counts.accesses[id.0 as usize];
        counts.executions += mask.count();
        counts.simd_executions += mask.simd_groups;
        let info = variable.texture.as_ref();
        let texel = info.and_then(|info| info.texel_bytes).unwrap_or(0);
        let bytes = u64::from(texel) * mask.count();
        let (reads, writes) = match operation {
            TextureOperation::Store => (false, true),
            TextureOperation::Atomic(_) => {
                self.counts.atomics += mask.count();
                (true, true)
            }
            _ => (true, false),
        };
        self.request(access.variable, bytes, reads, writes);
    }
}
