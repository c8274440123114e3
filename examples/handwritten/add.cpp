// Vector add in AscendC by hand, the baseline beside examples/01_add.rs: z = x + y for half and float.
//
// The elements are divided in data blocks (32 bytes), so that every core starts aligned and the first `extraUnits` cores
// take one data block more. Each tile goes through three stages that overlap on pipes MTE2, V and MTE3 with two buffers a
// queue. Only the last tile of the last core may have a length that is no multiple of a data block, so DataCopyPad is
// used throughout: its cost for aligned lengths is that of DataCopy.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;
constexpr int64_t DATA_BLOCK_BYTES = 32;

struct AddTilingData {
    int64_t totalLength; // elements of x
    int64_t baseUnits;   // data blocks of every core
    int64_t extraUnits;  // cores that take one data block more
    int64_t tileLength;  // elements of a tile, a multiple of 256 bytes
};

template <typename T>
class KernelAdd {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, const AddTilingData &tiling, TPipe *pipe)
    {
        constexpr int64_t unit = DATA_BLOCK_BYTES / sizeof(T);
        const int64_t blockIdx = GetBlockIdx();
        const int64_t before = blockIdx * tiling.baseUnits + (blockIdx < tiling.extraUnits ? blockIdx : tiling.extraUnits);
        const int64_t units = tiling.baseUnits + (blockIdx < tiling.extraUnits ? 1 : 0);
        const int64_t start = before * unit;
        const int64_t left = tiling.totalLength - start;
        blockLength_ = units * unit < left ? units * unit : left;
        tileLength_ = tiling.tileLength;

        xGm_.SetGlobalBuffer((__gm__ T *)x + start, blockLength_);
        yGm_.SetGlobalBuffer((__gm__ T *)y + start, blockLength_);
        zGm_.SetGlobalBuffer((__gm__ T *)z + start, blockLength_);
        pipe->InitBuffer(inQueueX_, BUFFER_NUM, tileLength_ * sizeof(T));
        pipe->InitBuffer(inQueueY_, BUFFER_NUM, tileLength_ * sizeof(T));
        pipe->InitBuffer(outQueueZ_, BUFFER_NUM, tileLength_ * sizeof(T));
    }

    __aicore__ inline void Process()
    {
        for (int64_t offset = 0; offset < blockLength_; offset += tileLength_) {
            const int64_t left = blockLength_ - offset;
            const uint32_t count = static_cast<uint32_t>(left < tileLength_ ? left : tileLength_);
            CopyIn(offset, count);
            Compute(count);
            CopyOut(offset, count);
        }
    }

private:
    __aicore__ inline void CopyIn(int64_t offset, uint32_t count)
    {
        LocalTensor<T> xLocal = inQueueX_.AllocTensor<T>();
        LocalTensor<T> yLocal = inQueueY_.AllocTensor<T>();
        const DataCopyExtParams params{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
        const DataCopyPadExtParams<T> pad{false, 0, 0, 0};
        DataCopyPad(xLocal, xGm_[offset], params, pad);
        DataCopyPad(yLocal, yGm_[offset], params, pad);
        inQueueX_.EnQue(xLocal);
        inQueueY_.EnQue(yLocal);
    }

    __aicore__ inline void Compute(uint32_t count)
    {
        LocalTensor<T> xLocal = inQueueX_.DeQue<T>();
        LocalTensor<T> yLocal = inQueueY_.DeQue<T>();
        LocalTensor<T> zLocal = outQueueZ_.AllocTensor<T>();
        Add(zLocal, xLocal, yLocal, static_cast<int32_t>(count));
        outQueueZ_.EnQue(zLocal);
        inQueueX_.FreeTensor(xLocal);
        inQueueY_.FreeTensor(yLocal);
    }

    __aicore__ inline void CopyOut(int64_t offset, uint32_t count)
    {
        LocalTensor<T> zLocal = outQueueZ_.DeQue<T>();
        const DataCopyExtParams params{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
        DataCopyPad(zGm_[offset], zLocal, params);
        outQueueZ_.FreeTensor(zLocal);
    }

    TQue<TPosition::VECIN, 1> inQueueX_;
    TQue<TPosition::VECIN, 1> inQueueY_;
    TQue<TPosition::VECOUT, 1> outQueueZ_;
    GlobalTensor<T> xGm_;
    GlobalTensor<T> yGm_;
    GlobalTensor<T> zGm_;
    int64_t blockLength_ = 0;
    int64_t tileLength_ = 0;
};

extern "C" __global__ __aicore__ void add_f16(GM_ADDR x, GM_ADDR y, GM_ADDR z, AddTilingData tiling)
{
    TPipe pipe;
    KernelAdd<half> op;
    op.Init(x, y, z, tiling, &pipe);
    op.Process();
}

extern "C" __global__ __aicore__ void add_f32(GM_ADDR x, GM_ADDR y, GM_ADDR z, AddTilingData tiling)
{
    TPipe pipe;
    KernelAdd<float> op;
    op.Init(x, y, z, tiling, &pipe);
    op.Process();
}
