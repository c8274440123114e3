// What host code is told of temporary space (asc-devkit, pages Get*MaxMinTmpSize; impl/adv_api/tiling), in numbers worked out by hand.
#include "tiling/tiling_api.h"

#include "check.h"

namespace {
struct Space {
    uint32_t most;
    uint32_t least;
};
using Asks = void (*)(const AscendC::TensorShape &, uint32_t, bool, uint32_t &, uint32_t &);

Space Of(Asks asks, int64_t n, uint32_t size, bool reuses = false)
{
    Space space{};
    asks(AscendC::TensorShape(std::vector<int64_t>{n}), size, reuses, space.most, space.least);
    return space;
}

void OneTensor()
{
    struct Row {
        Asks asks;
        int64_t n;
        uint32_t size;
        bool reuses;
        uint32_t most;
        uint32_t least;
    };
    const Row rows[] = {
        {AscendC::GetSinMaxMinTmpSize, 1024, 4, false, 12288, 768},
        {AscendC::GetSinMaxMinTmpSize, 1024, 4, true, 8192, 512},
        {AscendC::GetSinMaxMinTmpSize, 1024, 2, false, 16384, 2048},
        {AscendC::GetCosMaxMinTmpSize, 8, 4, false, 768, 768},
        {AscendC::GetTanMaxMinTmpSize, 1024, 2, false, 20480, 2560},
        {AscendC::GetTanhMaxMinTmpSize, 1024, 4, false, 4096, 256},
        {AscendC::GetSinhMaxMinTmpSize, 1024, 2, false, 8192, 1024},
        {AscendC::GetCoshMaxMinTmpSize, 1024, 4, false, 8192, 512},
        {AscendC::GetAsinMaxMinTmpSize, 1024, 2, false, 12288, 1536},
        {AscendC::GetAcosMaxMinTmpSize, 1024, 4, false, 8192, 512},
        {AscendC::GetAtanMaxMinTmpSize, 1024, 4, false, 20480, 1280},
        {AscendC::GetAsinhMaxMinTmpSize, 1024, 2, false, 6144, 768},
        {AscendC::GetAcoshMaxMinTmpSize, 10, 4, false, 1024, 256},
        {AscendC::GetAcoshMaxMinTmpSize, 1024, 2, false, 4096, 512},
        {AscendC::GetAtanhMaxMinTmpSize, 1024, 2, false, 8192, 1024},
        {AscendC::GetErfMaxMinTmpSize, 1024, 4, false, 12288, 768},
        {AscendC::GetErfcMaxMinTmpSize, 1024, 2, false, 32768, 4096},
        {AscendC::GetSigmoidMaxMinTmpSize, 1024, 4, false, 4096, 256},
        {AscendC::GetSignMaxMinTmpSize, 1024, 2, false, 6144, 768},
        {AscendC::GetFracMaxMinTmpSize, 1024, 4, false, 0, 0},
        {AscendC::GetFracMaxMinTmpSize, 1024, 2, false, 8192, 1024},
        {AscendC::GetTruncMaxMinTmpSize, 1024, 4, false, 4096, 256},
        {AscendC::GetCeilMaxMinTmpSize, 1024, 2, false, 4096, 512},
        {AscendC::GetFloorMaxMinTmpSize, 1024, 4, false, 0, 0},
        {AscendC::GetLogMaxMinTmpSize, 1024, 2, false, 0, 0},
        {AscendC::GetLog10MaxMinTmpSize, 1024, 4, false, 0, 0},
        {AscendC::GetLog2MaxMinTmpSize, 10, 2, false, 256, 256},
        {AscendC::GetLog2MaxMinTmpSize, 1024, 2, false, 4096, 256},
        {AscendC::GetLog2MaxMinTmpSize, 1024, 4, false, 0, 0},
    };
    int row = 0;
    for (const Row &r : rows) {
        const Space space = Of(r.asks, r.n, r.size, r.reuses);
        HostExpect(space.most, r.most, row);
        HostExpect(space.least, r.least, row++);
    }
    uint32_t most = 0;
    uint32_t least = 0;
    HostExpect(AscendC::GetExpMaxMinTmpSize(AscendC::TensorShape({1024}), 2, false, most, least), true);
    HostExpect(most, 16384);
    HostExpect(least, 1024);
    const auto &chip = *platform_ascendc::PlatformAscendCManager::GetInstance();
    AscendC::GetRoundMaxMinTmpSize(chip, AscendC::TensorShape({1024}), 2, false, most, least);
    HostExpect(most, 2048);
    HostExpect(least, 256);
    uint32_t nodes = 0;
    uint32_t extra = 1;
    AscendC::GetSinTmpBufferFactorSize(2, nodes, extra);
    HostExpect(nodes, 8);
    HostExpect(extra, 0);
}

void Others()
{
    uint32_t most = 0;
    uint32_t least = 0;
    const AscendC::TensorShape many({1024});
    const AscendC::TensorShape one({1});
    AscendC::GetPowerMaxMinTmpSize(many, many, false, 4, false, most, least);
    HostExpect(most, 4 * 4096 + 256);
    HostExpect(least, 4 * 256 + 256);
    AscendC::GetPowerMaxMinTmpSize(one, many, false, 2, false, most, least);
    HostExpect(most, 14 * 2048 + 256);
    HostExpect(least, 14 * 128 + 256);
    AscendC::GetPowerMaxMinTmpSize(many, one, true, 4, false, most, least);
    HostExpect(most, 7 * 4096);
    HostExpect(least, 7 * 256);
    AscendC::GetSumMaxMinTmpSize(5000, 2, false, most, least);
    HostExpect(most, 96);
    HostExpect(least, 96);
    AscendC::GetMeanMaxMinTmpSize(300, 2, 4, false, most, least);
    HostExpect(least, 32 + 304 * 4);
    AscendC::GetMeanMaxMinTmpSize(300, 4, 4, false, most, least);
    HostExpect(least, 32);
    AscendC::GetSiluTmpSize(many, 2, false, most, least);
    HostExpect(most, 0);
    AscendC::GetGeluMaxMinTmpSize(many, 2, most, least);
    HostExpect(most, 3 * 1024 * 4);
    HostExpect(least, 768);
    HostExpect(AscendC::GetGeluMaxTmpSize(one, 4), 768);
    AscendC::GetGeGLUMaxMinTmpSize(many, 2, false, most, least);
    HostExpect(most, 4 * 2048);
    HostExpect(least, 1024);
    AscendC::GetSwiGLUMaxMinTmpSize(many, 2, most, least, false);
    HostExpect(most, 6 * 2048);
    HostExpect(least, 1536);
    AscendC::GetReGluMaxMinTmpSize(many, 4, false, most, least);
    HostExpect(most, 256);
    HostExpect(least, 256);
    uint32_t nodes = 1;
    uint32_t extra = 1;
    AscendC::GetSwiGLUTmpBufferFactorSize(4, nodes, extra);
    HostExpect(nodes, 0);
    HostExpect(extra, 0);
    const auto &chip = *platform_ascendc::PlatformAscendCManager::GetInstance();
    HostExpect(AscendC::GetConcatTmpSize(chip, 64, 4), 0);
    HostExpect(AscendC::GetSortTmpSize(chip, 64, 4), 512);
    HostExpect(AscendC::GetSortTmpSize(chip, 64, 2), 512);
    AscendC::GetBroadCastMaxMinTmpSize(chip, AscendC::TensorShape({20, 1}), AscendC::TensorShape({20, 16}), 4, false, most, least);
    HostExpect(most, 24 * 32);
    HostExpect(least, 256);
    AscendC::GetBroadCastMaxMinTmpSize(chip, AscendC::TensorShape({20, 1}), AscendC::TensorShape({20, 9}), 4, false, most, least);
    HostExpect(most, 24 * 32 + 20 * 64);
    HostExpect(least, 256 + 8 * 64);
    AscendC::GetBroadCastMaxMinTmpSize(chip, AscendC::TensorShape({1, 16}), AscendC::TensorShape({4, 16}), 1, false, most, least);
    HostExpect(most, 32 + (16 + 64) * 2);
    AscendC::GetBroadCastMaxMinTmpSize(chip, one, many, 2, false, most, least);
    HostExpect(least, 0);
    const AscendC::TensorShape rows({64, 128});
    AscendC::GetSelectMaxMinTmpSize(rows, one, 4, AscendC::TensorShape({64, 160}), 1, false, most, least);
    HostExpect(most, 8192 * 2 + 512 + 8192);
    HostExpect(least, 4096 * 2 + 512 + 8192);
    AscendC::GetSelectWithBytesMaskMaxMinTmpSize(one, rows, 4, AscendC::TensorShape({64, 128}), 1, true, most, least);
    HostExpect(most, 8192 * 2 + 512);
}

void Reductions()
{
    uint32_t most = 7;
    uint32_t least = 7;
    const AscendC::TensorShape shape({5, 100});
    using AscendC::ReducePattern;
    const auto expect = [&](uint32_t want, int line) {
        HostExpect(most, want, line);
        HostExpect(least, want, line);
    };
    AscendC::GetReduceSumMaxMinTmpSize(shape, ge::DT_FLOAT, ReducePattern::AR, true, false, most, least);
    expect(5 * 64 * 4, 0);
    AscendC::GetReduceMeanMaxMinTmpSize(AscendC::TensorShape({5, 64}), ge::DT_FLOAT, ReducePattern::AR, true, false, most, least);
    expect(0, 1);
    AscendC::GetReduceSumMaxMinTmpSize(shape, ge::DT_FLOAT, ReducePattern::RA, true, false, most, least);
    expect(4 * 104 * 4, 2);
    AscendC::GetReduceMaxMaxMinTmpSize(shape, ge::DT_FLOAT16, ReducePattern::AR, true, false, most, least);
    expect(5 * 32, 3);
    AscendC::GetReduceMinMaxMinTmpSize(AscendC::TensorShape({4, 128}), ge::DT_FLOAT16, ReducePattern::RA, true, false, most, least);
    expect(2 * 256, 4);
    AscendC::GetReduceProdMaxMinTmpSize(shape, ge::DT_FLOAT, ReducePattern::AR, true, true, most, least);
    expect(256, 5);
    AscendC::GetReduceProdMaxMinTmpSize(shape, ge::DT_FLOAT, ReducePattern::AR, true, false, most, least);
    expect((64 + 5 * 8) * 4 + 256, 6);
    AscendC::GetReduceAnyMaxMinTmpSize(shape, ge::DT_UINT8, ReducePattern::AR, true, true, most, least);
    expect(128 * 2 + 5 * 32, 7);
    AscendC::GetReduceAllMaxMinTmpSize(shape, ge::DT_UINT8, ReducePattern::RA, true, false, most, least);
    expect(4 * 128, 8);
    AscendC::GetReduceSumMaxMinTmpSize(shape, ge::DT_FLOAT16, ReducePattern::RA, true, false, most, least);
    expect(4 * 128, 9); // not a type of ReduceSum: they stay
}

void Norms()
{
    uint32_t most = 0;
    uint32_t least = 0;
    const AscendC::TensorShape shape({2, 5, 16});
    HostExpect(AscendC::GetRmsNormMaxMinTmpSize(shape, 4, most, least), true);
    HostExpect(most, (16 + 160) * 4);
    HostExpect(least, (8 + 16) * 4);
    HostExpect(AscendC::GetRmsNormMaxMinTmpSize(shape, 2, most, least), true);
    HostExpect(most, (16 + 320) * 4);
    HostExpect(least, (8 + 32) * 4);
    HostExpect(AscendC::GetRmsNormMaxMinTmpSize(shape, 4, most, least, true), false);
    optiling::RmsNormTiling tiling;
    HostExpect(AscendC::GetRmsNormTilingInfo(shape, AscendC::TensorShape({2, 5, 13}), (8 + 48) * 4, 4, tiling), true);
    const uint32_t want[] = {2, 5, 16, 13, 48, 3, 8, 3, 144, 16, 1};
    const uint32_t got[] = {tiling.get_bLength(), tiling.get_sLength(), tiling.get_hLength(), tiling.get_originalHLength(),
        tiling.get_mainBshLength(), tiling.get_mainBsLength(), tiling.get_mainBsLengthAlign(), tiling.get_loopRound(),
        tiling.get_inputTailPos(), tiling.get_tailBshLength(), tiling.get_tailBsLength()};
    for (int i = 0; i < 11; ++i) {
        HostExpect(got[i], want[i], i);
    }
    HostExpect(tiling.get_reciprocalOfHLength(), 1.0f / 13.0f);
    const AscendC::TensorShape rows({5, 20});
    AscendC::GetNormalizeMaxMinTmpSize(rows, 4, 4, false, true, false, most, least);
    HostExpect(most, 2 * 96 + 2 * 8 * 96);
    HostExpect(least, 192);
    AscendC::GetLayerNormMaxMinTmpSize(rows, 4, true, true, false, most, least);
    HostExpect(most, 1728 + 32);
    HostExpect(least, 192 + 32);
    AscendC::GetLayerNormMaxMinTmpSize(rows, 2, true, true, false, most, least);
    HostExpect(least, 512 + 32);
    optiling::LayerNormSeparateTiling norm;
    AscendC::GetLayerNormNDTilingInfo(rows, (8 + 2 * 2 * 24) * 4, 4, true, true, norm);
    const uint32_t parts[] = {5, 20, 120, 2, 48, 8, 56, 2, 48, 24, 96, 2, 1, 4};
    const uint32_t told[] = {norm.get_aLength(), norm.get_rLength(), norm.get_inputXSize(), norm.get_numberOfTmpBuf(), norm.get_oneTmpSize(),
        norm.get_firstTmpStartPos(), norm.get_secondTmpStartPos(), norm.get_loopRound(), norm.get_inputRoundSize(),
        norm.get_inputTailSize(), norm.get_inputTailPos(), norm.get_meanVarRoundSize(), norm.get_meanVarTailSize(),
        norm.get_meanVarTailPos()};
    for (int i = 0; i < 14; ++i) {
        HostExpect(told[i], parts[i], i);
    }
    HostExpect(norm.get_rValueBack(), 0.05f);
    AscendC::GetWelfordFinalizeMaxMinTmpSize(AscendC::TensorShape({128}), 4, false, most, least);
    HostExpect(most, 384 * 4);
    HostExpect(least, 1024);
    AscendC::GetWelfordUpdateMaxMinTmpSize(rows, 2, 4, false, false, most, least);
    HostExpect(most, 2 * 768);
    HostExpect(least, 768);
    HostExpect(AscendC::GetRmsNormTilingInfo(shape, shape, 64, 4, tiling), false);
    HostExpect(AscendC::GetRmsNormTilingInfo(shape, AscendC::TensorShape({2, 4, 16}), 4096, 4, tiling), false);
}

void SoftMax()
{
    const AscendC::TensorShape shape({3, 16});
    HostExpect(AscendC::GetSoftMaxMinTmpSize(shape, 4, false), (8 + 16 + 64) * 4);
    HostExpect(AscendC::GetSoftMaxMaxTmpSize(shape, 2, false), 3 * (16 + 16 + 64) * 4);
    optiling::SoftMaxTiling tiling;
    AscendC::SoftMaxTilingFunc(shape, 4, 2 * (8 + 16 + 64) * 4, tiling);
    const uint32_t want[] = {3, 16, 48, 3, 8, 24, 2, 16, 32, 2, 8, 16, 1, 1, 16, 8};
    const uint32_t got[] = {tiling.get_srcM(), tiling.get_srcK(), tiling.get_srcSize(), tiling.get_outMaxM(), tiling.get_outMaxK(),
        tiling.get_outMaxSize(), tiling.get_splitM(), tiling.get_splitK(), tiling.get_splitSize(), tiling.get_reduceM(),
        tiling.get_reduceK(), tiling.get_reduceSize(), tiling.get_rangeM(), tiling.get_tailM(), tiling.get_tailSplitSize(),
        tiling.get_tailReduceSize()};
    for (int i = 0; i < 16; ++i) {
        HostExpect(got[i], want[i], i);
    }
    HostExpect(AscendC::GetSoftMaxGradMinTmpSize(shape, 4, false, false), (16 + 16 + 64) * 4);
    HostExpect(AscendC::GetSoftMaxGradMinTmpSize(shape, 4, true, false), (8 + 16 + 64) * 4);
    HostExpect(AscendC::GetSoftMaxGradMaxTmpSize(shape, 2, false, false), 3 * (32 + 48 + 64) * 4);
    AscendC::SoftMaxGradTilingFunc(shape, 4, 2 * (16 + 16 + 64) * 4, tiling);
    HostExpect(tiling.get_splitM(), 2);
    HostExpect(tiling.get_tailM(), 1);
    // Of 64 rows of 64 elements 20 would fit: 16 are of eight, and they are a part of all.
    AscendC::SoftMaxTilingFunc(AscendC::TensorShape({64, 64}), 4, 20 * (8 + 64 + 64) * 4, tiling);
    HostExpect(tiling.get_splitM(), 16);
    HostExpect(tiling.get_tailM(), 0);
}
} // namespace

int main()
{
    OneTensor();
    Others();
    Reductions();
    Norms();
    SoftMax();
    return 0;
}
