//! scratch
use std::collections::BTreeMap;
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read(&path).unwrap();
        let file = cresta_wgsl::source::SourceFile::from_bytes(path.clone(), text).unwrap();
        let parsed = match cresta_wgsl::source::parse(&file) {
            Ok(p) => p,
            Err(e) => {
                println!("{path}: {e}");
                continue;
            }
        };
        for entry in cresta_wgsl::entry_points(&parsed.module) {
            let t0 = std::time::Instant::now();
            let lowered = match cresta_wgsl::lower(
                &parsed.module,
                &parsed.info,
                entry.name.as_str(),
                &BTreeMap::new(),
                Default::default(),
            ) {
                Ok(l) => l,
                Err(e) => {
                    println!("{path} {}: {e}", entry.name);
                    continue;
                }
            };
            let t1 = std::time::Instant::now();
            let options = cresta_symbolic::walk::Options {
                simd_width: 32,
                position: &|at| file.line_column(at as usize),
            };
            let mut p = cresta_symbolic::walk::walk(&lowered.kernel, &options);
            let t2 = std::time::Instant::now();
            let totals = p.totals(&lowered.kernel);
            let t3 = std::time::Instant::now();
            if std::env::var("IR").is_ok() {
                println!("{}", lowered.kernel);
            }
            let f = |q: &cresta_symbolic::poly::Poly| {
                let mut s = p.arena.format(q);
                if s.len() > 300 {
                    s.truncate(300);
                    s.push_str("…");
                }
                s
            };
            println!(
                "== {path} {} lower {:?} walk {:?} totals {:?} regions {}",
                entry.name,
                t1 - t0,
                t2 - t1,
                t3 - t2,
                p.regions.len()
            );
            println!("  flops   {}", f(&totals.work.flops.total));
            println!("  integer {}", f(&totals.work.integer_ops));
            println!("  read    {}", f(&totals.work.bytes.requested_read));
            println!("  write   {}", f(&totals.work.bytes.requested_write));
            println!("  wgmem   {}", f(&totals.work.bytes.workgroup));
            println!("  barriers {}", f(&totals.work.barriers));
            for l in &p.loops {
                println!("  loop trips {} {:?}", f(&l.trips), l.uniformity);
            }
            for a in &p.accesses {
                if let Some(ad) = &a.address {
                    println!(
                        "   acc {} {}",
                        lowered
                            .kernel
                            .variable(lowered.kernel.access(a.access).variable)
                            .name,
                        f(ad)
                    );
                }
            }
            println!("  assume {:?}", p.assumptions);
        }
    }
}
