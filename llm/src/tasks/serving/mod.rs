//! What engines for the serving and training of language models call: references in f64, and the list of the tasks.

tasks! { "serving":
    adamw
    advance_step
    alloc_extend
    apply_penalties
    apply_token_bitmask
    bgmv_expand
    bgmv_shrink
    clip_by_global_norm
    cross_entropy_backward
    dropout_backward
    foreach_norm
    gumbel_sample
    int4_pack
    int4_unpack
    layer_norm_backward
    log_prob_and_rank
    min_p
    rejection_greedy
    rejection_random
    residual_dropout_add
    reverse_sequence
    rms_norm_backward
    silu_and_mul
    softmax_backward
    strided_assign
    swiglu_backward
    temperature_softmax
    top_k_mask
    top_p_mask
}
