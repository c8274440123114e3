//! What engines for the serving and training of language models call: references in f64, and the list of the tasks.

tasks! { "serving":
    silu_and_mul
}
