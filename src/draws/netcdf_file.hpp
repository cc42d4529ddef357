// An open netCDF file: closed on every way out, faults as Error with the name of the file.
#pragma once

#include <netcdf.h>

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
      : lock_(mutex()),
        name_(path.string()),
        fault_(mode == Mode::create ? Fault::io : Fault::data) {
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
      fail(fault_, name_, std::string(what) + ": " + nc_strerror(status));
    }
  }
  /// What was buffered is written here: a full disk shows now.
  void close() {
    open_ = false;
    check(nc_close(id_), "closing");
  }

 private:
  // The netCDF library keeps global state without guarding it.
  static std::mutex& mutex() {
    static std::mutex instance;
    return instance;
  }

  std::unique_lock<std::mutex> lock_;
  std::string name_;
  Fault fault_;
  int id_ = -1;
  bool open_ = true;
};

}  // namespace tain::draws
