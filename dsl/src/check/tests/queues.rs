//! The queue protocol through loops and the arms of an `if`: what is right. What is wrong stands in `pairs`.

use super::*;

#[test]
fn states_of_queues_and_tensors_are_followed_through_loops_and_arms() {
    judge(CASES, with_queues, "ascend910b1");
}

/// Each is clean.
const CASES: &[&str] = &[
    // Both arms use a queue for the first time and leave it free.
    "if flag { let t = a.alloc_tensor::<f32>(); a.free_tensor(t); }",
    "for i in 0..turns { if flag { let t = a.alloc_tensor::<f32>(); data_copy_pad(&t, x.slice(at, len)); a.enque(t);\nlet t = a.deque::<f32>(); a.free_tensor(t); } }",
    // Both arms enque; what waits is dequeued after them.
    "if flag { let t = a.alloc_tensor::<f32>(); data_copy_pad(&t, x.slice(at, len)); a.enque(t); }\nelse { let t = a.alloc_tensor::<f32>(); a.enque(t); }\nlet t = a.deque::<f32>(); a.free_tensor(t);",
    "let t = a.alloc_tensor::<f32>();\nif flag { data_copy_pad(&t, x.slice(at, len)); a.enque(t); } else { a.enque(t); }\nlet t = a.deque::<f32>(); a.free_tensor(t);",
    "let t = a.alloc_tensor::<f32>();\nif flag { a.enque(t); let t = a.deque::<f32>(); a.free_tensor(t); } else { a.free_tensor(t); }",
    // A few turns empty what was filled before, and fill what is emptied behind them.
    "let t = a.alloc_tensor::<f32>(); a.enque(t); let t = a.alloc_tensor::<f32>(); a.enque(t);\nfor i in 0..2 { let t = a.deque::<f32>(); a.free_tensor(t); }",
    "for i in 3..5 { let t = a.alloc_tensor::<f32>(); a.enque(t); }\nfor i in 0..2 { let t = a.deque::<f32>(); a.free_tensor(t); }",
    "for i in 0..2 { let t = a.alloc_tensor::<f32>(); a.enque(t); }\nfor i in 0..2 { for j in 0..1 { let t = a.deque::<f32>(); a.free_tensor(t); } }",
    "let t = a.alloc_tensor::<f32>(); for i in 0..1 { a.free_tensor(t); }",
    // One ahead: each turn dequeues what the turn before enqueued.
    "let t = a.alloc_tensor::<f32>(); a.enque(t);\nlet t = a.deque::<f32>();\nfor i in 0..turns { let w = c.get::<f32>(); vec::relu(&w, &t, len); }\na.free_tensor(t);",
];
