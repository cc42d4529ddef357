// An open netCDF file: closed on every way out, faults as Error with the name of the file.
#pragma once

#include <fcntl.h>
#include <netcdf.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>

#include "tain/core/error.hpp"

namespace tain::draws {

class NetcdfFile {
 public:
  enum class Mode { create, read };

  NetcdfFile(const std::filesystem::path& path, Mode mode)
      : lock_(mutex()), name_(path.string()), mode_(mode) {
    // NC_CLOBBER: the temporary file of an atomic write may exist already.
    const int status = mode == Mode::create ? nc_create(path.c_str(), NC_NETCDF4 | NC_CLOBBER, &id_)
                                            : nc_open(path.c_str(), NC_NOWRITE, &id_);
    if (status != NC_NOERR) {
      fail(mode == Mode::create ? Fault::cannot_create : Fault::data, name_, nc_strerror(status),
           mode == Mode::create ? "" : "is it a netCDF file, and whole?");
    }
  }
  ~NetcdfFile() {
    if (open_) {
      if (mode_ == Mode::create) {
        leave_disk();
      }
      nc_close(id_);
    }
  }
  NetcdfFile(const NetcdfFile&) = delete;
  NetcdfFile& operator=(const NetcdfFile&) = delete;

  int id() const { return id_; }
  const std::string& name() const { return name_; }
  /// Throws for any status but NC_NOERR.
  void check(int status, std::string_view what) const {
    if (status != NC_NOERR) {
      fail(mode_ == Mode::create ? Fault::io : Fault::data, name_,
           std::string(what) + ": " + nc_strerror(status),
           mode_ == Mode::create ? "is the disk full? free some space or write elsewhere" : "");
    }
  }
  /// What was buffered is written here: a full disk shows now.
  void close() {
    check(nc_sync(id_), "writing");
    const int status = nc_close(id_);
    open_ = false;
    if (status != NC_NOERR) {
      leave_disk();
    }
    check(status, "closing");
  }

 private:
  /// HDF5 cannot let go of a file that it cannot write: what it has buffered it tries to write again
  /// when the file is closed and when the process ends, and then it crashes. So a file that is given
  /// up is memory from now on, where writing succeeds.
  void leave_disk() const {
    struct stat own{}, other{};
    const int memory = ::memfd_create("tain", MFD_CLOEXEC);
    std::error_code ignored;
    if (memory < 0 || ::stat(name_.c_str(), &own) != 0) {
      return;
    }
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", ignored)) {
      const int file = std::atoi(entry.path().filename().c_str());
      if (::fstat(file, &other) == 0 && other.st_dev == own.st_dev && other.st_ino == own.st_ino) {
        ::dup3(memory, file, O_CLOEXEC);
      }
    }
    ::close(memory);
  }

  // The netCDF library keeps global state without guarding it.
  static std::mutex& mutex() {
    static std::mutex instance;
    return instance;
  }

  std::unique_lock<std::mutex> lock_;
  std::string name_;
  Mode mode_;
  int id_ = -1;
  bool open_ = true;
};

}  // namespace tain::draws
