// A block of lanes: the state of many chains, laid out so that one instruction serves several
// chains.
//
// Layout: coordinate-major, lanes contiguous: coordinate i of lane l is data[i * lanes + l].
// Laws: lanes is a multiple of lane_group and data is aligned to 64 bytes, so that vector code has
//   no remainder on any instruction set; what happens in a lane never depends on which other lanes
//   share its block, so results do not depend on how chains are cut into blocks.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

namespace tain {

inline constexpr std::size_t lane_group = 8;  ///< doubles in the widest vector (AVX-512)
inline constexpr std::size_t alignment = 64;  ///< bytes: one cache line, one AVX-512 vector

/// Chains rounded up to whole lane groups.
constexpr std::size_t padded_lanes(std::size_t chains) {
  return (chains + lane_group - 1) / lane_group * lane_group;
}

/// Borrowed view of a block. Copyable, cheap; constness of the elements is in T.
template <class T>
class BasicBlock {
 public:
  constexpr BasicBlock() = default;
  constexpr BasicBlock(T* data, std::size_t rows, std::size_t lanes)
      : data_(data), rows_(rows), lanes_(lanes) {}
  /// Block to block of const.
  template <class U>
    requires(std::is_same_v<const U, T>)
  constexpr BasicBlock(const BasicBlock<U>& other)  // NOLINT(google-explicit-constructor)
      : data_(other.data()), rows_(other.rows()), lanes_(other.lanes()) {}

  constexpr T* data() const { return data_; }
  constexpr std::size_t rows() const { return rows_; }
  constexpr std::size_t lanes() const { return lanes_; }
  constexpr std::size_t size() const { return rows_ * lanes_; }
  constexpr T* row(std::size_t i) const { return data_ + i * lanes_; }
  constexpr T& at(std::size_t i, std::size_t lane) const { return data_[i * lanes_ + lane]; }
  constexpr std::span<T> flat() const { return {data_, size()}; }
  /// Rows [first, first + count) of the same lanes.
  constexpr BasicBlock slice(std::size_t first, std::size_t count) const {
    return {data_ + first * lanes_, count, lanes_};
  }

 private:
  T* data_ = nullptr;
  std::size_t rows_ = 0;
  std::size_t lanes_ = 0;
};

using Block = BasicBlock<double>;
using ConstBlock = BasicBlock<const double>;
using FloatBlock = BasicBlock<float>;
using ConstFloatBlock = BasicBlock<const float>;

/// Owned, aligned, zero-initialised block.
template <class T>
class BasicBlockStorage {
 public:
  BasicBlockStorage() = default;
  BasicBlockStorage(std::size_t rows, std::size_t lanes)
      : data_(rows * lanes == 0 ? nullptr
                                : static_cast<T*>(::operator new(rows * lanes * sizeof(T),
                                                                 std::align_val_t{alignment}))),
        rows_(rows),
        lanes_(lanes) {
    std::uninitialized_value_construct_n(data_.get(), rows * lanes);
  }
  BasicBlock<T> view() { return {data_.get(), rows_, lanes_}; }
  BasicBlock<const T> view() const { return {data_.get(), rows_, lanes_}; }
  std::size_t rows() const { return rows_; }
  std::size_t lanes() const { return lanes_; }

 private:
  struct Free {
    void operator()(T* p) const { ::operator delete(p, std::align_val_t{alignment}); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t rows_ = 0;
  std::size_t lanes_ = 0;
};

using BlockStorage = BasicBlockStorage<double>;
using FloatBlockStorage = BasicBlockStorage<float>;

}  // namespace tain
