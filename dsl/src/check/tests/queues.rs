//! The queue protocol through loops and the arms of an `if`.

use super::*;

#[test]
fn states_of_queues_and_tensors_are_followed_through_loops_and_arms() {
    judge(CASES, with_queues, "ascend910b1");
}

const CASES: &[&str] = &[
    // Both arms use a queue for the first time and leave it free.
    "if flag { let t = a.alloc_tensor::<f32>(); a.free_tensor(t); } else { let t = a.alloc_tensor::<f32>(); a.free_tensor(t); }",
    "if flag { let t = a.alloc_tensor::<f32>(); a.free_tensor(t); }",
    "for i in 0..turns { if flag { let t = a.alloc_tensor::<f32>(); data_copy_pad(&t, x.slice(at, len)); a.enque(t);\nlet t = a.deque::<f32>(); a.free_tensor(t); } }",
    // Both arms enque; what waits is dequeued after them.
    "if flag { let t = a.alloc_tensor::<f32>(); data_copy_pad(&t, x.slice(at, len)); a.enque(t); }\nelse { let t = a.alloc_tensor::<f32>(); a.enque(t); }\nlet t = a.deque::<f32>(); a.free_tensor(t);",
    "let t = a.alloc_tensor::<f32>();\nif flag { data_copy_pad(&t, x.slice(at, len)); a.enque(t); } else { a.enque(t); }\nlet t = a.deque::<f32>(); a.free_tensor(t);",
    "let t = a.alloc_tensor::<f32>();\nif flag { a.enque(t); let t = a.deque::<f32>(); a.free_tensor(t); } else { a.free_tensor(t); }",
    // One ahead: each turn dequeues what the turn before enqueued.
    "let t = a.alloc_tensor::<f32>(); a.enque(t);\nfor i in 0..turns { let next = a.alloc_tensor::<f32>(); a.enque(next);\nlet t = a.deque::<f32>(); a.free_tensor(t); }\nlet t = a.deque::<f32>(); a.free_tensor(t);",
    "let t = a.alloc_tensor::<f32>(); a.enque(t);\nlet t = a.deque::<f32>();\nfor i in 0..turns { let w = c.get::<f32>(); vec::relu(&w, &t, len); }\na.free_tensor(t);",
    // One arm only.
    "if flag { //^ J0405\nlet t = a.alloc_tensor::<f32>(); a.enque(t); }",
    "let t = a.alloc_tensor::<f32>(); a.enque(t);\nlet t = a.deque::<f32>();\nif flag { a.free_tensor(t); } //^ J0405",
    "let t = a.alloc_tensor::<f32>();\nif flag { a.enque(t); } //^ J0405\n",
    "let t = a.alloc_tensor::<f32>();\nif flag { a.enque(t); } else { a.free_tensor(t); } //^ J0405",
    "let t = a.alloc_tensor::<f32>(); a.enque(t);\nif flag { let t = a.deque::<f32>(); a.free_tensor(t); } //^ J0405",
    "if flag { let t = a.alloc_tensor::<f32>(); //^ J0405\n} else { let t = a.alloc_tensor::<f32>(); a.free_tensor(t); }",
    "if flag { let t = a.alloc_tensor::<f32>(); a.free_tensor(t); } else {\nlet t = a.alloc_tensor::<f32>(); //^ J0405\n}",
    // Freed in both arms and once more.
    "let t = a.alloc_tensor::<f32>();\nif flag { a.free_tensor(t); } else { a.free_tensor(t); }\na.free_tensor(t); //^ J0402",
    "let t = a.alloc_tensor::<f32>();\nif flag { a.enque(t); } else { a.enque(t); }\na.enque(t); //^ J0403\nlet t = a.deque::<f32>(); a.free_tensor(t);",
    // Taken once, handed over in every turn.
    "let t = a.alloc_tensor::<f32>(); a.enque(t);\nlet t = a.deque::<f32>();\nfor i in 0..turns {\na.free_tensor(t); //^ J0402\n}",
    "let t = b.alloc_tensor::<f32>();\nfor i in 0..turns {\nb.enque(t); //^ J0403\nlet u = b.deque::<f32>(); b.free_tensor(u); }",
    "let t = a.alloc_tensor::<f32>();\nfor i in 0..turns { if flag {\na.free_tensor(t); //^ J0402\n} else { a.free_tensor(t); } }",
    "let t = a.alloc_tensor::<f32>(); a.enque(t);\nfor i in 0..turns { //^ J0405\nlet t = a.deque::<f32>(); a.free_tensor(t); }\nlet t = a.deque::<f32>(); a.free_tensor(t);",
    "for i in 0..turns { let t = a.alloc_tensor::<f32>();\na.enque(t); //^ J0405\n}",
];
