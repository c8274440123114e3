//! Correct uses of the queue protocol in loops and arms of an `if`. The wrong ones are in `pairs`.

use super::*;

#[test]
fn states_of_queues_and_tensors_are_followed_through_loops_and_arms() {
    judge(CASES, with_queues, "ascend910b1");
}

/// Bodies without any finding.
const CASES: &[&str] = &[
    // Both arms use a queue for the first time and leave it free.
    "if flag { let t = a.alloc_tensor::<f32>(); a.free_tensor(t); }",
    "for i in 0..turns { if flag { let t = a.alloc_tensor::<f32>(); data_copy_pad(&t, x.slice(at, len)); a.enque(t);\nlet t = a.deque::<f32>(); a.free_tensor(t); } }",
    // Both arms enqueue, and one dequeue follows.
    "if flag { let t = a.alloc_tensor::<f32>(); data_copy_pad(&t, x.slice(at, len)); a.enque(t); }\nelse { let t = a.alloc_tensor::<f32>(); a.enque(t); }\nlet t = a.deque::<f32>(); a.free_tensor(t);",
    "let t = a.alloc_tensor::<f32>();\nif flag { data_copy_pad(&t, x.slice(at, len)); a.enque(t); } else { a.enque(t); }\nlet t = a.deque::<f32>(); a.free_tensor(t);",
    "let t = a.alloc_tensor::<f32>();\nif flag { a.enque(t); let t = a.deque::<f32>(); a.free_tensor(t); } else { a.free_tensor(t); }",
    // A few iterations empty what was filled before, or fill what is emptied later.
    "let t = a.alloc_tensor::<f32>(); a.enque(t); let t = a.alloc_tensor::<f32>(); a.enque(t);\nfor i in 0..2 { let t = a.deque::<f32>(); a.free_tensor(t); }",
    "for i in 3..5 { let t = a.alloc_tensor::<f32>(); a.enque(t); }\nfor i in 0..2 { let t = a.deque::<f32>(); a.free_tensor(t); }",
    "for i in 0..2 { let t = a.alloc_tensor::<f32>(); a.enque(t); }\nfor i in 0..2 { for j in 0..1 { let t = a.deque::<f32>(); a.free_tensor(t); } }",
    "let t = a.alloc_tensor::<f32>(); for i in 0..1 { a.free_tensor(t); }",
    // A tensor from before the loop is used in each iteration.
    "let t = a.alloc_tensor::<f32>(); a.enque(t);\nlet t = a.deque::<f32>();\nfor i in 0..turns { let w = c.get::<f32>(); vec::relu(&w, &t, len); }\na.free_tensor(t);",
];
