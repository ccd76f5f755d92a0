//! Statistics of repeated measurements: order statistics, since times are skewed by interruptions.
//!
//! Every function takes samples in any order and gives none where there is no sample. Start at
//! [`Summary`].

/// The figures that a measurement is reported by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Number of samples.
    pub samples: usize,
    /// The least: the best time.
    pub minimum: f64,
    /// 5th percentile.
    pub percentile_5: f64,
    /// Median.
    pub median: f64,
    /// 95th percentile.
    pub percentile_95: f64,
    /// The greatest.
    pub maximum: f64,
    /// Arithmetic mean.
    pub mean: f64,
}

impl Summary {
    /// Summarises `samples`.
    pub fn of(samples: &[f64]) -> Option<Self> {
        let sorted = sorted(samples);
        Some(Summary {
            samples: samples.len(),
            minimum: *sorted.first()?,
            percentile_5: percentile_of_sorted(&sorted, 0.05)?,
            median: percentile_of_sorted(&sorted, 0.5)?,
            percentile_95: percentile_of_sorted(&sorted, 0.95)?,
            maximum: *sorted.last()?,
            mean: mean(samples)?,
        })
    }
}

/// The middle sample, or the mean of the middle two.
pub fn median(samples: &[f64]) -> Option<f64> {
    percentile(samples, 0.5)
}

/// The `share` quantile, 0–1, linear between the two nearest samples (definition 7 of Hyndman and Fan,
/// “Sample quantiles in statistical packages”, The American Statistician 50(4), 1996). None outside
/// 0–1.
pub fn percentile(samples: &[f64], share: f64) -> Option<f64> {
    percentile_of_sorted(&sorted(samples), share)
}

/// Arithmetic mean.
pub fn mean(samples: &[f64]) -> Option<f64> {
    (!samples.is_empty()).then(|| samples.iter().sum::<f64>() / samples.len() as f64)
}

/// Whether the samples lie within `tolerance` of each other: (greatest − least) / least, as a share.
pub fn agree_within(samples: &[f64], tolerance: f64) -> Option<bool> {
    let sorted = sorted(samples);
    let (least, greatest) = (sorted.first()?, sorted.last()?);
    Some(greatest - least <= tolerance * least)
}

fn sorted(samples: &[f64]) -> Vec<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

fn percentile_of_sorted(sorted: &[f64], share: f64) -> Option<f64> {
    if sorted.is_empty() || !(0.0..=1.0).contains(&share) {
        return None;
    }
    let position = share * (sorted.len() - 1) as f64;
    let (below, above) = (position.floor(), position.ceil());
    let (low, high) = (sorted[below as usize], sorted[above as usize]);
    Some(low + (high - low) * (position - below))
}
