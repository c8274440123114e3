//! Results as a picture: pass@1 of each stage, by benchmark and language.

use super::ascendc::Language;
use super::record::Outcome;
use super::score::{by_task, mean};
use super::stages::Stage;
use plotters::prelude::*;
use std::collections::BTreeMap;
use std::error::Error;

const SIZE: (u32, u32) = (900, 420);
const COLOURS: [RGBColor; 4] = [
    RGBColor(31, 119, 180),
    RGBColor(255, 127, 14),
    RGBColor(44, 160, 44),
    RGBColor(148, 103, 189),
];

/// Draws the picture as SVG.
///
/// # Errors
/// If the drawing fails.
pub fn svg(samples: &[&Outcome]) -> Result<String, Box<dyn Error + Send + Sync>> {
    let mut text = String::new();
    draw(&mut text, samples).map_err(|e| e.to_string())?;
    Ok(text)
}

fn draw(text: &mut String, samples: &[&Outcome]) -> Result<(), Box<dyn Error>> {
    let mut benches: BTreeMap<String, Vec<&Outcome>> = BTreeMap::new();
    for outcome in samples {
        let bench = outcome.task.split('/').next().unwrap_or_default();
        let name = match outcome.language {
            Language::Jumar => bench.to_string(),
            Language::Ascendc => format!("{bench}, AscendC"),
        };
        benches.entry(name).or_default().push(outcome);
    }
    let root = SVGBackend::with_string(text, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let stages = Stage::ALL.len() as f64;
    let mut chart = ChartBuilder::on(&root)
        .caption("pass@1 by stage", ("sans-serif", 20))
        .margin(16)
        .x_label_area_size(32)
        .y_label_area_size(48)
        .build_cartesian_2d(0.0..stages, 0.0..100.0)?;
    let named = |x: &f64| {
        let stage = Stage::ALL
            .iter()
            .zip(0..)
            .find(|(_, at)| (x - f64::from(*at) - 0.5).abs() < 0.01);
        stage.map_or(String::new(), |(stage, _)| stage.name().to_string())
    };
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(2 * Stage::ALL.len() + 1)
        .x_label_formatter(&named)
        .y_desc("% of samples")
        .draw()?;
    let width = 0.8 / benches.len().max(1) as f64;
    for (nth, (bench, samples)) in benches.iter().enumerate() {
        let tallies = by_task(samples);
        let colour = COLOURS[nth % COLOURS.len()];
        let bars = Stage::ALL.iter().zip(0..).filter_map(|(stage, at)| {
            let part = mean(tallies.values(), *stage, 1)?;
            let left = f64::from(at) + 0.1 + width * nth as f64;
            Some(Rectangle::new(
                [(left, 0.0), (left + width * 0.95, 100.0 * part)],
                colour.filled(),
            ))
        });
        let series = chart.draw_series(bars)?;
        series
            .label(bench)
            .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 12, y + 5)], colour.filled()));
    }
    chart
        .configure_series_labels()
        .border_style(BLACK)
        .background_style(WHITE.mix(0.9))
        .draw()?;
    root.present()?;
    Ok(())
}
