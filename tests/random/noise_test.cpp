// The noise field word by word: against Random123, against Box-Muller in long double, and
// independent of blocks and instruction sets.
#include "random/noise.hpp"

#include <Random123/philox.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <vector>

#include "core/simd.hpp"
#include "random/philox.hpp"

namespace tain::noise_test {
namespace {

class OnEveryIsa : public ::testing::TestWithParam<Isa> {
 protected:
  void SetUp() override { pin_isa(GetParam()); }
  void TearDown() override { pin_isa(supported_isas().back()); }
};

INSTANTIATE_TEST_SUITE_P(Isa, OnEveryIsa, ::testing::ValuesIn(supported_isas()),
                         [](const auto& isa) { return std::string(isa_name(isa.param)); });

constexpr std::uint64_t seed = 0xFEDCBA9876543210;
constexpr std::uint64_t steps[] = {0, 1, 0xFFFFFFFF, 0x100000000, 0xABCD12345678};

// Published known answers of Philox4x32-10 (Random123, kat_vectors).
TEST(Words, KnownAnswers) {
  // Counter (0, 0, 0, 0), key (0, 0) would need purpose 0, which no use has.
  const NoiseField field(0);
  const auto zero = field.words(static_cast<Purpose>(0), 0, 0, 0);
  EXPECT_EQ(zero, (std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
}

TEST(Words, PlaceEveryPartOfThePosition) {
  const NoiseField field(seed);
  for (const std::uint64_t step : steps) {
    const r123::Philox4x32::ctr_type counter{{7u, 9u, static_cast<std::uint32_t>(step),
                                              (static_cast<std::uint32_t>(step >> 32) << 16) + 3u}};
    const r123::Philox4x32::key_type key{{0x76543210u, 0xFEDCBA98u}};
    const auto expected = r123::Philox4x32()(counter, key);
    const auto words = field.words(Purpose::start, step, 7, 9);
    EXPECT_TRUE(std::equal(words.begin(), words.end(), expected.begin()));
  }
}

// What the normals are made of, bit for bit.
TEST_P(OnEveryIsa, VectorWordsAreThoseOfRandom123) {
  const NoiseField field(seed);
  for (const std::uint64_t step : steps) {
    for (const std::size_t chains : {8, 16, 24, 40}) {
      for (const std::uint32_t index : {0u, 1u, 77u, 0xFFFFFFFFu}) {
        const std::uint32_t first = 0xFFFFFFFFu - 20;
        std::vector<std::uint32_t> out(4 * chains);
        philox::words_of_chains(field, Purpose::jitter, step, first, index, chains, out.data());
        for (std::size_t l = 0; l < chains; ++l) {
          const auto expected =
              field.words(Purpose::jitter, step, first + static_cast<std::uint32_t>(l), index);
          for (std::size_t w = 0; w < 4; ++w) {
            ASSERT_EQ(out[w * chains + l], expected[w]);
          }
        }
      }
    }
  }
}

// The uniforms are injective in their word, so equality means equal words.
TEST_P(OnEveryIsa, UniformsAreWordZero) {
  const NoiseField field(seed);
  for (const std::uint64_t step : steps) {
    for (const std::uint32_t first : {0u, 1u, 1000u, 0xFFFFFFF9u}) {  // the last wraps around
      std::vector<double> out(40);
      field.uniforms(Purpose::acceptance, step, first, out);
      for (std::uint32_t l = 0; l < out.size(); ++l) {
        const std::uint32_t word = field.words(Purpose::acceptance, step, first + l, 0)[0];
        EXPECT_EQ(out[l], (word + 0.5) * 0x1p-32);
      }
    }
  }
}

// Exact Box-Muller of the words at normal r of a chain.
long double exact_normal(const NoiseField& field, std::uint64_t step, std::uint32_t chain,
                         std::size_t r) {
  const auto words = field.words(Purpose::proposal, step, chain, static_cast<std::uint32_t>(r / 4));
  const std::size_t pair = r % 4 / 2 * 2;
  const long double u = (words[pair] + 0.5L) * 0x1p-32L;
  const long double angle =
      2.0L * std::numbers::pi_v<long double> * (words[pair + 1] + 0.5L) * 0x1p-32L;
  return std::sqrt(-2.0L * std::log(u)) * (r % 2 == 0 ? std::cos(angle) : std::sin(angle));
}

TEST_P(OnEveryIsa, NormalsAreBoxMullerOfTheWords) {
  const NoiseField field(seed);
  double worst = 0.0;
  for (const std::uint64_t step : steps) {
    for (const std::size_t lanes : {8, 16, 24, 64}) {
      for (const std::size_t rows : {1, 2, 3, 4, 5, 10, 31}) {
        FloatBlockStorage block(rows, lanes);
        const std::uint32_t first = 0xFFFFFFFFu - 20;
        field.normals(Purpose::proposal, step, first, block.view());
        for (std::size_t r = 0; r < rows; ++r) {
          for (std::size_t l = 0; l < lanes; ++l) {
            const long double exact =
                exact_normal(field, step, first + static_cast<std::uint32_t>(l), r);
            const auto error = std::abs((block.view().at(r, l) - exact) / exact);
            worst = std::max(worst, static_cast<double>(error));
          }
        }
      }
    }
  }
  EXPECT_LT(worst, 0x1p-20);
  RecordProperty("worst_relative_error", std::to_string(worst));
}

TEST_P(OnEveryIsa, RowsBeyondTheBlockAreNotTouched) {
  const NoiseField field(seed);
  for (std::size_t rows = 1; rows <= 9; ++rows) {
    for (const std::size_t lanes : {8, 24}) {
      FloatBlockStorage block(rows + 4, lanes);
      std::fill(block.view().flat().begin(), block.view().flat().end(), 99.0f);
      field.normals(Purpose::proposal, 3, 0, block.view().slice(0, rows));
      for (std::size_t l = 0; l < 4 * lanes; ++l) {
        EXPECT_EQ(block.view().row(rows)[l], 99.0f);
      }
    }
  }
}

std::vector<float> normals_at(const NoiseField& field, std::uint32_t first, std::size_t rows,
                              std::size_t lanes) {
  FloatBlockStorage block(rows, lanes);
  field.normals(Purpose::proposal, 12, first, block.view());
  return {block.view().data(), block.view().data() + rows * lanes};
}

TEST_P(OnEveryIsa, ABlockIsItsPartsBitForBit) {
  const NoiseField field(seed);
  const std::vector<float> whole = normals_at(field, 5, 11, 64);
  for (const std::size_t lanes : {8, 16, 32}) {
    for (std::size_t first = 0; first < 64; first += lanes) {
      const auto part = normals_at(field, static_cast<std::uint32_t>(5 + first), 7, lanes);
      for (std::size_t r = 0; r < 7; ++r) {
        EXPECT_EQ(std::memcmp(&part[r * lanes], &whole[r * 64 + first], lanes * sizeof(float)), 0);
      }
    }
  }
}

TEST(Noise, Avx2AndAvx512AgreeBitForBit) {
  const auto isas = supported_isas();
  if (isas.size() < 3) {
    GTEST_SKIP() << "this machine has no AVX-512";
  }
  const NoiseField field(seed);
  pin_isa(Isa::avx2);
  const auto narrow = normals_at(field, 0, 4000, 24);
  pin_isa(Isa::avx512);
  const auto wide = normals_at(field, 0, 4000, 24);
  EXPECT_EQ(std::memcmp(narrow.data(), wide.data(), narrow.size() * sizeof(float)), 0);
}

TEST(Stream, CountsIndicesUpAndCopiesBranch) {
  const NoiseField field(seed);
  Stream stream(field, Purpose::direct, 5, 6, 7);
  for (std::uint32_t index = 7; index < 10; ++index) {
    const auto words = field.words(Purpose::direct, 5, 6, index);
    for (const std::uint32_t word : words) {
      EXPECT_EQ(stream.word(), word);
    }
  }
  Stream branch = stream;
  EXPECT_EQ(branch.uniform(), stream.uniform());
}

TEST(Stream, UniformsStayInside) {
  Stream stream(NoiseField(1), Purpose::direct, 0, 0);
  for (int i = 0; i < 100'000; ++i) {
    const double u = stream.uniform();
    ASSERT_GT(u, 0.0);
    ASSERT_LT(u, 1.0);
  }
}

TEST(Stream, CategoricalNeverPicksWeightZero) {
  Stream stream(NoiseField(3), Purpose::direct, 0, 0);
  const std::vector<double> weights{0.0, 1e-300, 0.0, 1e-300, 0.0};
  for (int i = 0; i < 1000; ++i) {
    const std::size_t k = stream.categorical(weights);
    ASSERT_TRUE(k == 1 || k == 3);
  }
}

}  // namespace
}  // namespace tain::noise_test
