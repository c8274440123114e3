//! The right kernel of every error page, through the macro.

#[rustfmt::skip]
mod j0100 {
    use jumar::prelude::*;

    #[kernel]
    pub fn scale(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for t in tiles(x) {
            y.at(t).store(x.at(t).load() * 2.0);
        }
    }
}

#[rustfmt::skip]
mod j0101 {
    use jumar::prelude::*;

    #[kernel]
    pub fn power(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for t in tiles(x) {
            let mut v = x.at(t).load();
            for i in 0..3 {
                v = v * v;
            }
            y.at(t).store(v);
        }
    }
}

#[rustfmt::skip]
mod j0102 {
    use jumar::prelude::*;

    #[kernels]
    mod scaling {
        use jumar::prelude::*;

        const FACTOR: f32 = 2.0;

        #[kernel]
        pub fn scale(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            for t in tiles(x) {
                y.at(t).store(x.at(t).load() * FACTOR);
            }
        }
    }
}

#[rustfmt::skip]
mod j0103 {
    use jumar::prelude::*;

    #[kernel]
    pub fn exponential(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for t in tiles(x) {
            y.at(t).store(x.at(t).load().exp());
        }
    }
}

#[rustfmt::skip]
mod j0104 {
    use jumar::prelude::*;

    #[kernel]
    pub fn scale(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, factor: f32) {
        for t in tiles(x) {
            y.at(t).store(x.at(t).load() * factor);
        }
    }
}

#[rustfmt::skip]
mod j0105 {
    use jumar::prelude::*;

    #[kernel]
    pub fn scale_rows(#[shape(n.., d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, factor: f32) {
        for r in tiles(n) {
            y.at(r, ..).store(x.at(r, ..).load() * factor);
        }
    }
}

#[rustfmt::skip]
mod j0106 {
    use jumar::prelude::*;

    #[kernel]
    pub fn clip(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for t in tiles(x) {
            y.at(t).store(x.at(t).load().max(0.0));
        }
    }
}

#[rustfmt::skip]
mod j0107 {
    use jumar::prelude::*;

    #[kernels]
    mod powers {
        use jumar::prelude::*;

        fn power(v: Tile<f32>) -> Tile<f32> {
            v * v * v
        }

        #[kernel]
        pub fn cube(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            for t in tiles(x) {
                y.at(t).store(power(x.at(t).load()));
            }
        }
    }
}

#[rustfmt::skip]
mod j0108 {
    use jumar::prelude::*;

    #[kernel]
    pub fn scale(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for t in tiles(x) {
            y.at(t).store(x.at(t).load() * 2.0);
        }
    }
}

#[rustfmt::skip]
mod j0109 {
    use jumar::prelude::*;

    #[kernel]
    pub fn scaled(#[shape(b, n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for i in each(b) {
            for (r, c) in tiles((n, d)) {
                y.at(i, r, c).store(x.at(i, r, c).load() * 2.0);
            }
        }
    }
}

#[rustfmt::skip]
mod j0201 {
    use jumar::prelude::*;

    #[kernel]
    pub fn mixed_add(x: &GlobalTensor<f16>, w: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for t in tiles(x) {
            y.at(t).store(x.at(t).load().cast::<f32>() + w.at(t).load());
        }
    }
}

#[rustfmt::skip]
mod j0202 {
    use jumar::prelude::*;

    #[kernel]
    pub fn scale<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
        for t in tiles(x) {
            let v = x.at(t).load().cast::<f32>();
            y.at(t).store((v * 2.0).cast::<T>());
        }
    }
}

#[rustfmt::skip]
mod j0203 {
    use jumar::prelude::*;

    #[kernel]
    pub fn scale(x: &GlobalTensor<bf16>, y: &mut GlobalTensor<bf16>) {
        for t in tiles(x) {
            let v = x.at(t).load().cast::<f32>() * 2.0;
            y.at(t).store(v.cast::<bf16>());
        }
    }
}

#[rustfmt::skip]
mod j0204 {
    use jumar::prelude::*;

    #[kernel]
    pub fn convert(x: &GlobalTensor<f16>, y: &mut GlobalTensor<bf16>) {
        for t in tiles(x) {
            y.at(t).store(x.at(t).load().cast::<f32>().cast::<bf16>());
        }
    }
}

#[rustfmt::skip]
mod j0205 {
    use jumar::prelude::*;

    #[kernel]
    pub fn narrow(x: &GlobalTensor<f32>, y: &mut GlobalTensor<bf16>) {
        for t in tiles(x) {
            y.at(t).store(x.at(t).load().cast_with::<bf16>(RoundMode::Rint));
        }
    }
}

#[rustfmt::skip]
mod j0206 {
    use jumar::prelude::*;

    #[kernel]
    pub fn shift(#[shape(n.., d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for r in tiles(n) {
            let v = x.at(r, ..).load();
            y.at(r, ..).store(v - v.amax(d));
        }
    }
}

#[rustfmt::skip]
mod j0207 {
    use jumar::prelude::*;

    #[kernel]
    pub fn row_max(#[shape(n.., d)] x: &GlobalTensor<f32>, #[shape(n..)] y: &mut GlobalTensor<f32>) {
        for r in tiles(n) {
            y.at(r).store(x.at(r, ..).load().amax(d));
        }
    }
}

#[rustfmt::skip]
mod j0208 {
    use jumar::prelude::*;

    #[kernel]
    pub fn half_of(x: &GlobalTensor<i32>, y: &mut GlobalTensor<i32>) {
        for t in tiles(x) {
            let v = x.at(t).load().cast::<f32>() * 0.5;
            y.at(t).store(v.cast_with::<i32>(RoundMode::Floor));
        }
    }
}

#[rustfmt::skip]
mod j0209 {
    use jumar::prelude::*;

    #[kernel]
    pub fn add(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] w: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for t in tiles(n) {
            y.at(t).store(x.at(t).load() + w.at(t).load());
        }
    }
}

#[rustfmt::skip]
mod j0210 {
    use jumar::prelude::*;

    #[kernel]
    pub fn double(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, z: &mut GlobalTensor<f32>) {
        for t in tiles(x) {
            let v = x.at(t).load();
            y.at(t).store(v * 2.0);
            z.at(t).store(v * v);
        }
    }
}

#[rustfmt::skip]
mod j0211 {
    use jumar::prelude::*;

    #[kernel]
    pub fn accumulate(x: &GlobalTensor<f32>, #[inplace] y: &mut GlobalTensor<f32>) {
        for t in tiles(x) {
            y.at(t).store(y.at(t).load() + x.at(t).load());
        }
    }
}

#[rustfmt::skip]
mod j0212 {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f32, i32)]
    pub fn copy<T: Element>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
        for t in tiles(x) {
            y.at(t).store(x.at(t).load());
        }
    }
}

#[rustfmt::skip]
mod j0213 {
    use jumar::prelude::*;

    #[kernel]
    pub fn scale(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for t in tiles(x) {
            let v = x.at(t).load();
            let v = v * 2.0;
            y.at(t).store(v);
        }
    }
}

#[rustfmt::skip]
mod j0214 {
    use jumar::prelude::*;

    #[kernel]
    pub fn shift(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for r in tiles(n) {
            let v = x.at(r, ..).load();
            y.at(r, ..).store(v - v.amax(d));
        }
    }
}

#[rustfmt::skip]
mod j0215 {
    use jumar::prelude::*;

    #[kernel]
    pub fn twice(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(m = 2 * n, d)] y: &mut GlobalTensor<f32>) {
        let two = new_axis(2);
        for t in tiles(n) {
            let v = x.at(t, ..).load();
            for i in each(two) {
                y.at(t * 2 + i, ..).store(v);
            }
        }
    }
}

#[rustfmt::skip]
mod j0216 {
    use jumar::prelude::*;

    #[kernel]
    pub fn differences(#[shape(n)] x: &GlobalTensor<f32>, #[shape(m = n - 1)] y: &mut GlobalTensor<f32>) {
        require(n >= 1);
        for t in tiles(m) {
            y.at(t).store(x.at(t + 1).load() - x.at(t + 0).load());
        }
    }
}

#[rustfmt::skip]
mod j0217 {
    use jumar::prelude::*;

    #[kernel]
    pub fn embedding(
        #[shape(n)] #[index(m)] ids: &GlobalTensor<i64>,
        #[shape(m, d)] table: &GlobalTensor<f32>,
        #[shape(n, d)] y: &mut GlobalTensor<f32>,
    ) {
        for t in tiles(n) {
            y.at(t, ..).store(table.at(ids.at(t).load(), ..).load());
        }
    }
}

#[rustfmt::skip]
mod j0218 {
    use jumar::prelude::*;

    #[kernel]
    pub fn positive(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(cap)] y: &mut GlobalTensor<f32>) {
        for (i, t) in tiles((each(n), d)) {
            let v = x.at(i, t).load();
            y.append(v, v.gt(0.0));
        }
    }
}

#[rustfmt::skip]
mod j0219 {
    use jumar::prelude::*;

    #[kernel]
    pub fn shifted(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, k: usize) {
        require(k <= n);
        for t in tiles(0..k) {
            y.at(t).store(full(t, 0.0));
        }
        for t in tiles(k..n) {
            y.at(t).store(x.at(t - k).load());
        }
    }
}

#[rustfmt::skip]
mod j0220 {
    use jumar::prelude::*;

    #[kernel]
    #[deterministic]
    pub fn column_sums(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {
        let mut s = across_cores::<f32>(d, 0.0);
        for r in tiles(n) {
            s += x.at(r, ..).load().sum(r);
        }
        y.at(..).store(s);
    }
}

#[rustfmt::skip]
mod j0301 {
    use jumar::prelude::*;

    #[kernel]
    pub fn relu(#[shape(2048)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        let share = split(x.len()).unit(8);
        let (at, n) = (share.start(), share.len());
        let mut pipe = TPipe::new();
        let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
        pipe.init_buffer(&mut in_x, 2, 8192);
        pipe.init_buffer(&mut out_y, 1, 8192);
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(at, n));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::relu(&y_local, &x_local, n);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(at, n), &y_local);
        out_y.free_tensor(y_local);
    }
}

#[rustfmt::skip]
mod j0302 {
    use jumar::prelude::*;

    #[kernel]
    pub fn below_largest(#[shape(n.., d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        require(d == 65536);
        for r in tiles(n) {
            let v = x.at(r, ..).load();
            let u = v * 0.125;
            y.at(r, ..).store(u - u.amax(d));
        }
    }
}

#[rustfmt::skip]
mod j0303 {
    use jumar::prelude::*;

    #[kernel]
    pub fn relu(#[shape(64)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        let share = split(x.len()).unit(8);
        let (at, n) = (share.start(), share.len());
        let mut pipe = TPipe::new();
        let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
        pipe.init_buffer(&mut in_x, 2, 256);
        pipe.init_buffer(&mut out_y, 1, 256);
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(at, n));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::relu(&y_local, &x_local, n);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(at, n), &y_local);
        out_y.free_tensor(y_local);
    }
}

#[rustfmt::skip]
mod j0304 {
    use jumar::prelude::*;

    #[kernel]
    pub fn relu(#[shape(2048)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        let share = split(x.len()).unit(8);
        let (at, n) = (share.start(), share.len());
        let mut pipe = TPipe::new();
        let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
        pipe.init_buffer(&mut in_x, 2, 8192);
        pipe.init_buffer(&mut out_y, 1, 8192);
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(at, n));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::relu(&y_local, &x_local, n);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(at, n), &y_local);
        out_y.free_tensor(y_local);
    }
}

#[rustfmt::skip]
mod j0305 {
    use jumar::prelude::*;

    #[kernel]
    pub fn scale(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for t in tiles(x).buffer_num(2) {
            y.at(t).store(x.at(t).load() * 2.0);
        }
    }
}

#[rustfmt::skip]
mod j0306 {
    use jumar::prelude::*;

    #[kernel]
    pub fn relu(#[shape(1021)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        let share = split(x.len()).unit(8);
        let (at, n) = (share.start(), share.len());
        let mut pipe = TPipe::new();
        let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
        pipe.init_buffer(&mut in_x, 1, 8192);
        pipe.init_buffer(&mut out_y, 1, 8192);
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(at, n));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::relu(&y_local, &x_local, n);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(at, n), &y_local);
        out_y.free_tensor(y_local);
    }
}

#[rustfmt::skip]
mod j0307 {
    use jumar::prelude::*;

    #[kernel]
    pub fn relu(#[shape(2048)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        let share = split(x.len()).unit(8);
        let (at, n) = (share.start(), share.len());
        let mut pipe = TPipe::new();
        let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
        pipe.init_buffer(&mut in_x, 1, 16384);
        pipe.init_buffer(&mut out_y, 1, 16384);
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(at, n));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::relu(&y_local, &x_local, n);
        vec::abs(&y_local.at(8), &x_local.at(8), 8);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(at, n), &y_local);
        out_y.free_tensor(y_local);
    }
}

#[rustfmt::skip]
mod j0308 {
    use jumar::prelude::*;

    #[kernel]
    pub fn relu(#[shape(2048)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        let share = split(x.len()).unit(8);
        let (at, n) = (share.start(), share.len());
        let mut pipe = TPipe::new();
        let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
        pipe.init_buffer(&mut in_x, 1, 8192);
        pipe.init_buffer(&mut out_y, 1, 8192);
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(at, n));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::relu(&y_local, &x_local, n);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(at, n), &y_local);
        out_y.free_tensor(y_local);
    }
}

#[rustfmt::skip]
mod j0309 {
    use jumar::prelude::*;

    #[kernel]
    pub fn relu(#[shape(2048)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        let share = split(x.len()).unit(8);
        let (at, n) = (share.start(), share.len());
        let mut pipe = TPipe::new();
        let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
        pipe.init_buffer(&mut in_x, 1, 8192);
        pipe.init_buffer(&mut out_y, 1, 8192);
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(at, n));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::relu(&y_local, &x_local, n);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(at, n), &y_local);
        out_y.free_tensor(y_local);
    }
}

#[rustfmt::skip]
mod j0310 {
    use jumar::prelude::*;

    #[kernel]
    pub fn relu(#[shape(2048)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        let share = split(x.len()).unit(8);
        let (at, n) = (share.start(), share.len());
        let mut pipe = TPipe::new();
        let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
        pipe.init_buffer(&mut in_x, 1, 8192);
        pipe.init_buffer(&mut out_y, 1, 8192);
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(at, n));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::local_copy(&y_local, &x_local, 2048);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(at, n), &y_local);
        out_y.free_tensor(y_local);
    }
}

#[rustfmt::skip]
mod j0311 {
    use jumar::prelude::*;

    #[kernel]
    pub fn pairs(#[shape(2048)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        let share = split(x.len()).unit(8);
        let (at, n) = (share.start(), share.len());
        let mut pipe = TPipe::new();
        let (mut in_x, mut out_y, mut tmp) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new(), TBuf::<VecCalc>::new());
        pipe.init_buffer(&mut in_x, 1, 8192);
        pipe.init_buffer(&mut out_y, 1, 8192);
        pipe.init_buffer(&mut tmp, 1, 512);
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(at, n));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        let sums = tmp.get::<f32>();
        vec::duplicate(&sums, 1.0, 128);
        vec::add(&sums.at(64), &sums, &sums, 64);
        vec::muls(&y_local, &x_local, 2.0, n);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(at, n), &y_local);
        out_y.free_tensor(y_local);
    }
}

#[rustfmt::skip]
mod j0401 {
    use jumar::prelude::*;

    #[kernel]
    pub fn relu(#[shape(2048)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        let share = split(x.len()).unit(8);
        let (at, n) = (share.start(), share.len());
        let mut pipe = TPipe::new();
        let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
        pipe.init_buffer(&mut in_x, 1, 8192);
        pipe.init_buffer(&mut out_y, 1, 8192);
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(at, n));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::relu(&y_local, &x_local, n);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(at, n), &y_local);
        out_y.free_tensor(y_local);
    }
}

#[rustfmt::skip]
mod j0402 {
    use jumar::prelude::*;

    #[kernel]
    pub fn relu(#[shape(2048)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        let share = split(x.len()).unit(8);
        let (at, n) = (share.start(), share.len());
        let mut pipe = TPipe::new();
        let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
        pipe.init_buffer(&mut in_x, 1, 8192);
        pipe.init_buffer(&mut out_y, 1, 8192);
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(at, n));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::relu(&y_local, &x_local, n);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(at, n), &y_local);
        out_y.free_tensor(y_local);
    }
}

#[rustfmt::skip]
mod j0403 {
    use jumar::prelude::*;

    #[kernel]
    pub fn relu(#[shape(2048)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        let share = split(x.len()).unit(8);
        let (at, n) = (share.start(), share.len());
        let mut pipe = TPipe::new();
        let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
        pipe.init_buffer(&mut in_x, 1, 8192);
        pipe.init_buffer(&mut out_y, 1, 8192);
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(at, n));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::relu(&y_local, &x_local, n);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(at, n), &y_local);
        out_y.free_tensor(y_local);
    }
}

#[rustfmt::skip]
mod j0404 {
    use jumar::prelude::*;

    #[kernel]
    pub fn relu(#[shape(2048)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        let share = split(x.len()).unit(8);
        let (at, n) = (share.start(), share.len());
        let mut pipe = TPipe::new();
        let (mut in_x, mut out_y) = (TQue::<VecIn, 2>::new(), TQue::<VecOut, 1>::new());
        pipe.init_buffer(&mut in_x, 2, 8192);
        pipe.init_buffer(&mut out_y, 1, 8192);
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(at, n));
        in_x.enque(x_local);
        let second = in_x.alloc_tensor::<f32>();
        data_copy_pad(&second, x.slice(at, n));
        in_x.enque(second);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::relu(&y_local, &x_local, n);
        in_x.free_tensor(x_local);
        let second = in_x.deque::<f32>();
        in_x.free_tensor(second);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(at, n), &y_local);
        out_y.free_tensor(y_local);
    }
}

#[rustfmt::skip]
mod j0405 {
    use jumar::prelude::*;

    #[kernel]
    pub fn relu(#[shape(2048)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        let share = split(x.len()).unit(8);
        let (at, n) = (share.start(), share.len());
        let mut pipe = TPipe::new();
        let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
        pipe.init_buffer(&mut in_x, 1, 8192);
        pipe.init_buffer(&mut out_y, 1, 8192);
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(at, n));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::relu(&y_local, &x_local, n);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(at, n), &y_local);
        out_y.free_tensor(y_local);
    }
}

#[rustfmt::skip]
mod j0406 {
    use jumar::prelude::*;

    #[kernel]
    pub fn relu(#[shape(2048)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        let share = split(x.len()).unit(8);
        let (at, n) = (share.start(), share.len());
        let mut pipe = TPipe::new();
        let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
        pipe.init_buffer(&mut in_x, 1, 8192);
        pipe.init_buffer(&mut out_y, 1, 8192);
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(at, n));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::relu(&y_local, &x_local, n);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(at, n), &y_local);
        out_y.free_tensor(y_local);
    }
}

#[rustfmt::skip]
mod j0407 {
    use jumar::prelude::*;

    #[kernel]
    pub fn relu(#[shape(2048)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        let share = split(x.len()).unit(8);
        let (at, n) = (share.start(), share.len());
        let mut pipe = TPipe::new();
        let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
        pipe.init_buffer(&mut in_x, 1, 8192);
        pipe.init_buffer(&mut out_y, 1, 8192);
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(at, n));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::relu(&y_local, &x_local, n);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(at, n), &y_local);
        out_y.free_tensor(y_local);
    }
}

#[rustfmt::skip]
mod j0408 {
    use jumar::prelude::*;

    #[kernel]
    pub fn relu(#[shape(2048)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        let share = split(x.len()).unit(8);
        let (at, n) = (share.start(), share.len());
        let mut pipe = TPipe::new();
        let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
        pipe.init_buffer(&mut in_x, 2, 8192);
        pipe.init_buffer(&mut out_y, 1, 8192);
        let x_local = in_x.alloc_tensor::<f32>();
        let second = in_x.alloc_tensor::<f32>();
        in_x.free_tensor(second);
        data_copy_pad(&x_local, x.slice(at, n));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::relu(&y_local, &x_local, n);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(at, n), &y_local);
        out_y.free_tensor(y_local);
    }
}

#[rustfmt::skip]
mod j0409 {
    use jumar::prelude::*;

    #[kernel]
    pub fn relu(#[shape(2048)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        let share = split(x.len()).unit(8);
        let (at, n) = (share.start(), share.len());
        let mut pipe = TPipe::new();
        let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
        pipe.init_buffer(&mut in_x, 1, 8192);
        pipe.init_buffer(&mut out_y, 1, 8192);
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(at, n));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::relu(&y_local, &x_local, n);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(at, n), &y_local);
        out_y.free_tensor(y_local);
    }
}

#[rustfmt::skip]
mod j0410 {
    use jumar::prelude::*;

    #[kernel]
    pub fn relu(#[shape(2048)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        let share = split(x.len()).unit(8);
        let (at, n) = (share.start(), share.len());
        let mut pipe = TPipe::new();
        let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
        pipe.init_buffer(&mut in_x, 1, 8192);
        pipe.init_buffer(&mut out_y, 1, 8192);
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(at, n));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::relu(&y_local, &x_local, n);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(at, n), &y_local);
        out_y.free_tensor(y_local);
    }
}

#[rustfmt::skip]
mod j0411 {
    use jumar::prelude::*;

    #[kernel]
    pub fn relu(#[shape(4096)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        let mut pipe = TPipe::new();
        let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
        pipe.init_buffer(&mut in_x, 2, 64);
        pipe.init_buffer(&mut out_y, 2, 64);
        for i in 0..256 {
            let x_local = in_x.alloc_tensor::<f32>();
            data_copy(&x_local, x.slice(i * 16, 16));
            in_x.enque(x_local);
            let x_local = in_x.deque::<f32>();
            let y_local = out_y.alloc_tensor::<f32>();
            vec::relu(&y_local, &x_local, 16);
            in_x.free_tensor(x_local);
            out_y.enque(y_local);
            let y_local = out_y.deque::<f32>();
            data_copy(y.slice(i * 16, 16), &y_local);
            out_y.free_tensor(y_local);
        }
    }
}

#[rustfmt::skip]
mod j0412 {
    use jumar::prelude::*;

    #[kernel]
    pub fn total(#[shape(n)] x: &GlobalTensor<f32>, #[shape(1)] y: &mut GlobalTensor<f32>) {
        let share = split(n).unit(8);
        let parts = workspace::<f32>(get_block_num() * 8);
        let mut pipe = TPipe::new();
        let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
        pipe.init_buffer(&mut in_x, 1, 8192);
        pipe.init_buffer(&mut out_y, 1, 8192);
        let len = share.len().min(2048);
        let t = in_x.alloc_tensor::<f32>();
        data_copy_pad(&t, x.slice(share.start(), len));
        in_x.enque(t);
        let t = in_x.deque::<f32>();
        let o = out_y.alloc_tensor::<f32>();
        vec::duplicate(&o, 0.0, 8);
        vec::reduce_sum(&o, &t, &o.at(64), len);
        in_x.free_tensor(t);
        out_y.enque(o);
        let o = out_y.deque::<f32>();
        data_copy_pad(parts.slice(get_block_idx() * 8, 8), &o);
        sync_all();
        out_y.free_tensor(o);
        if get_block_idx() == 0 {
            let t = in_x.alloc_tensor::<f32>();
            let all = parts.len().min(2048);
            data_copy_pad(&t, parts.slice(0, all));
            in_x.enque(t);
            let t = in_x.deque::<f32>();
            let o = out_y.alloc_tensor::<f32>();
            vec::reduce_sum(&o, &t, &o.at(64), all);
            in_x.free_tensor(t);
            out_y.enque(o);
            let o = out_y.deque::<f32>();
            data_copy_pad(y.slice(0, 1), &o);
            out_y.free_tensor(o);
        }
    }
}

#[rustfmt::skip]
mod j0413 {
    use jumar::prelude::*;

    #[kernel]
    pub fn relu(#[shape(4096)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        set_flag::<MTE3_MTE2>(0);
        set_flag::<MTE3_MTE2>(1);
        for i in 0..8 {
            let local = LocalTensor::<f32>::new(VecCalc, i % 2 * 2048, 512);
            wait_flag::<MTE3_MTE2>(i % 2);
            data_copy(&local, x.slice(i * 512, 512));
            set_flag::<MTE2_V>(0);
            wait_flag::<MTE2_V>(0);
            vec::relu(&local, &local, 512);
            set_flag::<V_MTE3>(0);
            wait_flag::<V_MTE3>(0);
            data_copy(y.slice(i * 512, 512), &local);
            set_flag::<MTE3_MTE2>(i % 2);
        }
        wait_flag::<MTE3_MTE2>(0);
        wait_flag::<MTE3_MTE2>(1);
    }
}

#[rustfmt::skip]
mod j0414 {
    use jumar::prelude::*;

    #[kernel]
    pub fn relu(#[shape(4096)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        let local = LocalTensor::<f32>::new(VecCalc, 0, 512);
        set_flag::<MTE3_MTE2>(0);
        for i in 0..8 {
            wait_flag::<MTE3_MTE2>(0);
            data_copy(&local, x.slice(i * 512, 512));
            set_flag::<MTE2_V>(0);
            wait_flag::<MTE2_V>(0);
            vec::relu(&local, &local, 512);
            set_flag::<V_MTE3>(0);
            wait_flag::<V_MTE3>(0);
            data_copy(y.slice(i * 512, 512), &local);
            set_flag::<MTE3_MTE2>(0);
        }
        wait_flag::<MTE3_MTE2>(0);
    }
}

#[rustfmt::skip]
mod j0415 {
    use jumar::prelude::*;

    #[kernel]
    pub fn relu_plus_double(#[shape(64)] x: &GlobalTensor<f32>, #[shape(64)] y: &mut GlobalTensor<f32>) {
        let mut pipe = TPipe::new();
        let (mut in_x, mut out_y, mut buf) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new(), TBuf::<VecCalc>::new());
        pipe.init_buffer(&mut in_x, 1, 256);
        pipe.init_buffer(&mut out_y, 1, 256);
        pipe.init_buffer(&mut buf, 1, 512);
        let all = buf.get::<f32>();
        let (a, b) = (all.at(0), all.at(64));
        if get_block_idx() == 0 {
            let x_local = in_x.alloc_tensor::<f32>();
            data_copy(&x_local, x.slice(0, 64));
            in_x.enque(x_local);
            let x_local = in_x.deque::<f32>();
            vec::maxs(&a, &x_local, 0.0, 64);
            vec::muls(&b, &x_local, 2.0, 64);
            in_x.free_tensor(x_local);
            let y_local = out_y.alloc_tensor::<f32>();
            vec::add(&y_local, &a, &b, 64);
            out_y.enque(y_local);
            let y_local = out_y.deque::<f32>();
            data_copy(y.slice(0, 64), &y_local);
            out_y.free_tensor(y_local);
        }
    }
}

#[rustfmt::skip]
mod j0416 {
    use jumar::prelude::*;

    #[kernel]
    pub fn marks(#[shape(1024)] y: &mut GlobalTensor<i32>) {
        let share = split(64);
        for line in 0..share.len() {
            let at = (share.start() + line) * 16;
            for i in 0..16 {
                y.set_value(at + i, 1);
            }
            y.data_cache_clean_and_invalid(at);
        }
    }
}

#[rustfmt::skip]
mod j0501 {
    use jumar::prelude::*;

    #[kernel]
    #[chips(ascend310p)]
    #[instances(f16, f32)]
    pub fn scale<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
        for t in tiles(x) {
            let v = x.at(t).load().cast::<f32>();
            y.at(t).store((v * 2.0).cast::<T>());
        }
    }
}

#[rustfmt::skip]
mod j0502 {
    use jumar::prelude::*;

    #[kernel]
    #[chips(ascend310p)]
    pub fn relu(#[shape(2048)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        let share = split(x.len()).unit(8);
        let (at, n) = (share.start(), share.len());
        let mut pipe = TPipe::new();
        let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
        pipe.init_buffer(&mut in_x, 1, 8192);
        pipe.init_buffer(&mut out_y, 1, 8192);
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy(&x_local, x.slice(at, n));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::relu(&y_local, &x_local, n);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy(y.slice(at, n), &y_local);
        out_y.free_tensor(y_local);
    }
}

#[rustfmt::skip]
mod j0503 {
    use jumar::prelude::*;

    #[kernel]
    pub fn scale(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for t in tiles(x).block_dim(48) {
            y.at(t).store(x.at(t).load() * 2.0);
        }
    }
}

#[rustfmt::skip]
mod j0504 {
    use jumar::prelude::*;

    #[kernel]
    #[chips(ascend910b)]
    pub fn scale(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for t in tiles(x) {
            y.at(t).store(x.at(t).load() * 2.0);
        }
    }
}

#[rustfmt::skip]
mod j0505 {
    use jumar::prelude::*;

    #[kernel]
    pub fn relu(#[shape(2048)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        let share = split(x.len()).unit(8);
        let (at, n) = (share.start(), share.len());
        let mut pipe = TPipe::new();
        let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
        pipe.init_buffer(&mut in_x, 1, 8192);
        pipe.init_buffer(&mut out_y, 1, 8192);
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(at, n));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::relu(&y_local, &x_local, n);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(at, n), &y_local);
        out_y.free_tensor(y_local);
    }
}

#[rustfmt::skip]
mod j0601 {
    use jumar::prelude::*;

    #[kernel]
    pub fn scale_rows(#[shape(n.., d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, #[default(4)] tile: usize) {
        for r in tiles(n) {
            for c in tiles(d).size(64 * tile) {
                y.at(r, c).store(x.at(r, c).load() * 2.0);
            }
        }
    }
}

#[rustfmt::skip]
mod j0602 {
    use jumar::prelude::*;

    #[kernel]
    pub fn window(#[shape(m)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, offset: usize) {
        require(offset + n <= m);
        let share = split(y.len()).unit(8);
        let mut pipe = TPipe::new();
        let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
        pipe.init_buffer(&mut in_x, 2, 8192);
        pipe.init_buffer(&mut out_y, 2, 8192);
        for i in 0..share.len().div_ceil(2048) {
            let len = (share.len() - i * 2048).min(2048);
            let at = share.start() + i * 2048;
            let x_local = in_x.alloc_tensor::<f32>();
            data_copy_pad(&x_local, x.slice(offset + at, len));
            in_x.enque(x_local);
            let x_local = in_x.deque::<f32>();
            let y_local = out_y.alloc_tensor::<f32>();
            vec::relu(&y_local, &x_local, len);
            in_x.free_tensor(x_local);
            out_y.enque(y_local);
            let y_local = out_y.deque::<f32>();
            data_copy_pad(y.slice(at, len), &y_local);
            out_y.free_tensor(y_local);
        }
    }
}

#[rustfmt::skip]
mod j0901 {
    use jumar::prelude::*;

    #[kernel]
    pub fn unit_rows(#[shape(n.., d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for r in tiles(n) {
            let v = x.at(r, ..).load();
            y.at(r, ..).store(v / ((v * v).sum(d) + 1e-6).sqrt());
        }
    }
}

#[rustfmt::skip]
mod j0902 {
    use jumar::prelude::*;

    #[kernel]
    pub fn normalise(#[shape(n.., d)] x: &GlobalTensor<f16>, y: &mut GlobalTensor<f16>) {
        for r in tiles(n) {
            let v = x.at(r, ..).load().cast::<f32>();
            y.at(r, ..).store((v / v.sum(d)).cast::<f16>());
        }
    }
}

#[rustfmt::skip]
mod j0903 {
    use jumar::prelude::*;

    #[kernel]
    pub fn cleaned(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for t in tiles(x) {
            let v = x.at(t).load();
            y.at(t).store(v.is_nan().select(0.0, v));
        }
    }
}

#[rustfmt::skip]
mod j0904 {
    use jumar::prelude::*;

    #[kernel]
    pub fn moved(#[shape(n)] ids: &GlobalTensor<i32>, #[shape(n)] y: &mut GlobalTensor<i32>) {
        for t in tiles(n) {
            y.at(t).store(ids.at(t).load() + 1);
        }
    }
}

fn main() {}
