//! How SIMD groups are cut from a workgroup: by the linear local index, so that the lanes of most are a
//! box of local ids.

/// Equal SIMD groups: the lanes of one are all ids along the axes before `axis` and `length` ids along
/// `axis`; the next one starts `length` further on, and so on for every id along the axes after `axis`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LaneBox {
    pub(crate) axis: usize,
    /// First id along `axis`.
    pub(crate) first: u32,
    pub(crate) length: u32,
    /// Number along `axis`.
    pub(crate) repeats: u32,
}

/// The SIMD groups of a workgroup; `None` where some are not boxes.
pub(crate) fn lane_boxes(size: [u32; 3], simd_width: u32) -> Option<Vec<LaneBox>> {
    if size.iter().product::<u32>() <= simd_width {
        return Some(vec![LaneBox {
            axis: 2,
            first: 0,
            length: size[2],
            repeats: 1,
        }]);
    }
    let mut inner = 1;
    let axis = (0..3).find(|&axis| {
        inner *= size[axis];
        inner >= simd_width
    })?;
    inner = size[..axis].iter().product();
    let length = simd_width / inner;
    let (repeats, rest) = (size[axis] / length, size[axis] % length);
    let is_outermost = size[axis + 1..].iter().all(|&size| size == 1);
    if inner * length != simd_width || (rest > 0 && !is_outermost) {
        return None;
    }
    let whole = LaneBox {
        axis,
        first: 0,
        length,
        repeats,
    };
    let rest = LaneBox {
        first: repeats * length,
        length: rest,
        repeats: 1,
        ..whole
    };
    let boxes = [whole, rest].into_iter();
    Some(
        boxes
            .filter(|lanes| lanes.repeats > 0 && lanes.length > 0)
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lane_is_in_one_box_in_the_order_of_the_linear_index() {
        for size in [
            [64, 1, 1],
            [16, 16, 1],
            [48, 1, 1],
            [8, 4, 4],
            [5, 3, 1],
            [4, 8, 3],
        ] {
            for simd_width in [4, 8, 32, 64] {
                let Some(boxes) = lane_boxes(size, simd_width) else {
                    continue;
                };
                let mut groups = Vec::new();
                for lanes in boxes {
                    let inner: u32 = size[..lanes.axis].iter().product();
                    let outer: u32 = size[lanes.axis + 1..].iter().product();
                    for row in 0..outer {
                        for repeat in 0..lanes.repeats {
                            let along = lanes.first + repeat * lanes.length;
                            let start = (row * size[lanes.axis] + along) * inner;
                            groups.push((start, start + inner * lanes.length));
                        }
                    }
                }
                let all: u32 = size.iter().product();
                let expected = (0..all).step_by(simd_width as usize);
                let expected = expected.map(|start| (start, (start + simd_width).min(all)));
                assert_eq!(
                    groups,
                    expected.collect::<Vec<_>>(),
                    "{size:?} by {simd_width}"
                );
            }
        }
    }

    #[test]
    fn ragged_rows_are_not_boxes() {
        // groups of 32 begin in the middle of rows of 12
        assert_eq!(lane_boxes([12, 5, 1], 32), None);
        // the last group of each of the two layers is short by half, and the next layer fills it
        assert_eq!(lane_boxes([48, 2, 1], 32), None);
    }
}
