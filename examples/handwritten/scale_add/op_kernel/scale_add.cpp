// Operator ScaleAdd: z = x * alpha, plus bias where there is one (tiling key 2).
#include "kernel_operator.h"
using namespace AscendC;

class KernelScaleAdd {
public:
    __aicore__ inline KernelScaleAdd() {}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR bias, GM_ADDR z, const ScaleAddTilingData &tiling, TPipe *pipe)
    {
        const uint32_t begin = GetBlockIdx() * tiling.split.perCore;
        count = tiling.total - begin < tiling.split.perCore ? tiling.total - begin : tiling.split.perCore;
        tile = tiling.split.tile;
        alpha = tiling.alpha;
        xGm.SetGlobalBuffer((__gm__ DTYPE_X *)x + begin, count);
        biasGm.SetGlobalBuffer((__gm__ DTYPE_X *)bias + begin, count);
        zGm.SetGlobalBuffer((__gm__ DTYPE_Z *)z + begin, count);
        pipe->InitBuffer(inX, 2, tile * sizeof(DTYPE_X));
        pipe->InitBuffer(inBias, 2, tile * sizeof(DTYPE_X));
        pipe->InitBuffer(outZ, 2, tile * sizeof(DTYPE_Z));
    }
    template <bool hasBias>
    __aicore__ inline void Process()
    {
        for (uint32_t at = 0; at < count; at += tile) {
            const uint32_t n = count - at < tile ? count - at : tile;
            LocalTensor<DTYPE_X> xLocal = CopyIn(inX, xGm[at], n);
            LocalTensor<DTYPE_Z> zLocal = outZ.AllocTensor<DTYPE_Z>();
            Muls(zLocal, xLocal, static_cast<DTYPE_X>(alpha), n);
            inX.FreeTensor(xLocal);
            if constexpr (hasBias) {
                LocalTensor<DTYPE_X> biasLocal = CopyIn(inBias, biasGm[at], n);
                Add(zLocal, zLocal, biasLocal, n);
                inBias.FreeTensor(biasLocal);
            }
            outZ.EnQue(zLocal);
            zLocal = outZ.DeQue<DTYPE_Z>();
            DataCopyPad(zGm[at], zLocal, DataCopyExtParams{1, static_cast<uint32_t>(n * sizeof(DTYPE_Z)), 0, 0, 0});
            outZ.FreeTensor(zLocal);
        }
    }

private:
    __aicore__ inline LocalTensor<DTYPE_X> CopyIn(TQue<TPosition::VECIN, 1> &queue, const GlobalTensor<DTYPE_X> &from, uint32_t n)
    {
        LocalTensor<DTYPE_X> local = queue.AllocTensor<DTYPE_X>();
        const DataCopyExtParams params{1, static_cast<uint32_t>(n * sizeof(DTYPE_X)), 0, 0, 0};
        DataCopyPad(local, from, params, DataCopyPadExtParams<DTYPE_X>{false, 0, 0, 0});
        queue.EnQue(local);
        return queue.DeQue<DTYPE_X>();
    }

    TQue<TPosition::VECIN, 1> inX, inBias;
    TQue<TPosition::VECOUT, 1> outZ;
    GlobalTensor<DTYPE_X> xGm, biasGm;
    GlobalTensor<DTYPE_Z> zGm;
    uint32_t count = 0;
    uint32_t tile = 0;
    float alpha = 1.0f;
};

extern "C" __global__ __aicore__ void scale_add(GM_ADDR x, GM_ADDR bias, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    TPipe pipe;
    KernelScaleAdd op;
    op.Init(x, bias, z, tilingData, &pipe);
    if (TILING_KEY_IS(1)) {
        op.Process<false>();
    } else if (TILING_KEY_IS(2)) {
        op.Process<true>();
    }
}
