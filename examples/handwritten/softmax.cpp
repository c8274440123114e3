// Softmax over the last axis in AscendC by hand, the baseline beside examples/04_softmax.rs: float, rows that fit in UB.
//
// What an expert does beyond the obvious: all rows of a tile go through one instruction. The columns are walked in chunks of
// one repeat (64 floats); repeat r of an instruction is row r, with the pitch of a row as repeat stride. So a chunk costs one
// Max for the whole tile, and the reduction inside the repeat (WholeReduceMax) is done once a row, not once a chunk. The
// values per row come back to full width through Brcb: one data block a row, read by all eight blocks of a repeat (source
// block stride 0). The last chunk uses a mask, so padding is never read and d may be any number.
//
// Limits of this form: repeat and repeat stride are eight bits, hence at most 255 rows a tile and a pitch of at most 255
// data blocks, 2040 columns. The host tiling keeps both, and the UB budget of
//   2 * (2 * rows * pitch) floats in the queues, rows * 64 for the chunk, 9 * rows for the values per row.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;
constexpr int32_t CHUNK = 64;      // floats of a repeat
constexpr int32_t BLOCK_ELEMS = 8; // floats of a data block

struct SoftmaxTilingData {
    int64_t rowsTotal;
    int64_t baseRows;  // rows of every core
    int64_t extraRows; // cores that take one row more
    int64_t cols;
    int64_t tileRows; // a multiple of 8, at most 248
};

class KernelSoftmax {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const SoftmaxTilingData &tiling, TPipe *pipe)
    {
        const int64_t blockIdx = GetBlockIdx();
        const int64_t start = blockIdx * tiling.baseRows + (blockIdx < tiling.extraRows ? blockIdx : tiling.extraRows);
        blockRows_ = tiling.baseRows + (blockIdx < tiling.extraRows ? 1 : 0);
        tileRows_ = tiling.tileRows;
        cols_ = static_cast<int32_t>(tiling.cols);
        pitch_ = (cols_ + BLOCK_ELEMS - 1) / BLOCK_ELEMS * BLOCK_ELEMS;

        xGm_.SetGlobalBuffer((__gm__ float *)x + start * cols_, blockRows_ * cols_);
        yGm_.SetGlobalBuffer((__gm__ float *)y + start * cols_, blockRows_ * cols_);
        pipe->InitBuffer(inQueueX_, BUFFER_NUM, tileRows_ * pitch_ * sizeof(float));
        pipe->InitBuffer(outQueueY_, BUFFER_NUM, tileRows_ * pitch_ * sizeof(float));
        pipe->InitBuffer(chunkBuf_, tileRows_ * CHUNK * sizeof(float));
        pipe->InitBuffer(columnBuf_, tileRows_ * sizeof(float));
        pipe->InitBuffer(blocksBuf_, tileRows_ * BLOCK_ELEMS * sizeof(float));
        chunk_ = chunkBuf_.Get<float>();
        column_ = columnBuf_.Get<float>();
        blocks_ = blocksBuf_.Get<float>();
    }

    __aicore__ inline void Process()
    {
        for (int64_t row = 0; row < blockRows_; row += tileRows_) {
            const int64_t left = blockRows_ - row;
            const uint16_t rows = static_cast<uint16_t>(left < tileRows_ ? left : tileRows_);
            CopyIn(row, rows);
            Compute(rows);
            CopyOut(row, rows);
        }
    }

private:
    __aicore__ inline void CopyIn(int64_t row, uint16_t rows)
    {
        LocalTensor<float> xLocal = inQueueX_.AllocTensor<float>();
        // In UB every row starts at a data block of its own; DataCopyPad fills up to it.
        const DataCopyExtParams params{rows, static_cast<uint32_t>(cols_ * sizeof(float)), 0, 0, 0};
        const DataCopyPadExtParams<float> pad{false, 0, 0, 0};
        DataCopyPad(xLocal, xGm_[row * cols_], params, pad);
        inQueueX_.EnQue(xLocal);
    }

    __aicore__ inline void Compute(uint16_t rows)
    {
        LocalTensor<float> xLocal = inQueueX_.DeQue<float>();
        LocalTensor<float> yLocal = outQueueY_.AllocTensor<float>();
        const uint8_t repeat = static_cast<uint8_t>(rows);
        const uint8_t rowStride = static_cast<uint8_t>(pitch_ / BLOCK_ELEMS);
        const uint8_t brcbRepeat = static_cast<uint8_t>((rows + 7) / 8);
        const BinaryRepeatParams fold{1, 1, 1, 8, 8, rowStride};
        const BinaryRepeatParams apply{1, 1, 0, rowStride, rowStride, 1};

        // All lanes start at minus infinity, so that the masked tail leaves neutral lanes behind.
        const uint32_t minusInfinity = 0xff800000;
        Duplicate(chunk_, *reinterpret_cast<const float *>(&minusInfinity), rows * CHUNK);
        for (int32_t col = 0; col < cols_; col += CHUNK) {
            Max(chunk_, chunk_, xLocal[col], Mask(col), repeat, fold);
        }
        WholeReduceMax<float>(column_, chunk_, CHUNK, rows, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
        Brcb(blocks_, column_, brcbRepeat, {1, 8});
        for (int32_t col = 0; col < cols_; col += CHUNK) {
            Sub(yLocal[col], xLocal[col], blocks_, Mask(col), repeat, apply);
        }
        inQueueX_.FreeTensor(xLocal);

        // Padding lanes are computed along; nothing reads them.
        Exp(yLocal, yLocal, rows * pitch_);

        Duplicate(chunk_, 0.0f, rows * CHUNK);
        for (int32_t col = 0; col < cols_; col += CHUNK) {
            Add(chunk_, chunk_, yLocal[col], Mask(col), repeat, fold);
        }
        WholeReduceSum<float>(column_, chunk_, CHUNK, rows, 1, 1, 8);
        Brcb(blocks_, column_, brcbRepeat, {1, 8});
        for (int32_t col = 0; col < cols_; col += CHUNK) {
            Div(yLocal[col], yLocal[col], blocks_, Mask(col), repeat, apply);
        }
        outQueueY_.EnQue(yLocal);
    }

    __aicore__ inline void CopyOut(int64_t row, uint16_t rows)
    {
        LocalTensor<float> yLocal = outQueueY_.DeQue<float>();
        const DataCopyExtParams params{rows, static_cast<uint32_t>(cols_ * sizeof(float)), 0, 0, 0};
        DataCopyPad(yGm_[row * cols_], yLocal, params);
        outQueueY_.FreeTensor(yLocal);
    }

    // Valid lanes of the chunk that begins at `col`.
    __aicore__ inline uint64_t Mask(int32_t col) const
    {
        return static_cast<uint64_t>(cols_ - col < CHUNK ? cols_ - col : CHUNK);
    }

    TQue<TPosition::VECIN, 1> inQueueX_;
    TQue<TPosition::VECOUT, 1> outQueueY_;
    TBuf<TPosition::VECCALC> chunkBuf_;
    TBuf<TPosition::VECCALC> columnBuf_;
    TBuf<TPosition::VECCALC> blocksBuf_;
    LocalTensor<float> chunk_;
    LocalTensor<float> column_;
    LocalTensor<float> blocks_;
    GlobalTensor<float> xGm_;
    GlobalTensor<float> yGm_;
    int64_t blockRows_ = 0;
    int64_t tileRows_ = 0;
    int32_t cols_ = 0;
    int32_t pitch_ = 0;
};

extern "C" __global__ __aicore__ void softmax_f32(GM_ADDR x, GM_ADDR y, SoftmaxTilingData tiling)
{
    TPipe pipe;
    KernelSoftmax op;
    op.Init(x, y, tiling, &pipe);
    op.Process();
}
