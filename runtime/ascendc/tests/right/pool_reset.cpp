// A pool that is reset waits for what its queues have freed; so does one that ends.
// option: replay 5
// gm x: float[512] = iota
// gm z: float[512] out
// expect z: 1 2 3 4
#include "kernel_operator.h"
#include "check.h"
using namespace AscendC;

ASCENDC_API void AddOne(TBufPool<TPosition::VECCALC> &pool, GM_ADDR x, GM_ADDR z, uint32_t at)
{
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pool.InitBuffer(in, 1, 512);
    pool.InitBuffer(out, 1, 512);
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x + at, 128);
    gz.SetGlobalBuffer((__gm__ float *)z + at, 128);
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, gx, 128);
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    Adds(b, a, 1.0f, 128);
    out.EnQue(b);
    in.FreeTensor(a);
    b = out.DeQue<float>();
    DataCopy(gz, b, 128);
    out.FreeTensor(b);
}

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TBufPool<TPosition::VECCALC> whole;
    pipe.InitBufPool(whole, 2048);
    TBufPool<TPosition::VECCALC> pool;
    whole.InitBufPool(pool, 1024);
    AddOne(pool, x, z, 0);
    pool.Reset();
    AddOne(pool, x, z, 128);
    {
        TBufPool<TPosition::VECCALC> same;
        whole.InitBufPool(same, 1024);
        AddOne(same, x, z, 256);
    }
    whole.Reset();
    TBufPool<TPosition::VECCALC> last;
    whole.InitBufPool(last, 1024);
    pool.Reset();
    AddOne(last, x, z, 384);
}
