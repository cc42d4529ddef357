// Wikitext to the words a reader of the page would see.
//
// Definition: templates {{ }}, tables {| |}, links to files and categories, language links,
//   comments and elements such as <ref>, <math> and <code> vanish with what they contain. Of
//   [[target|label]] the label stays, or else the target; of [http://... label] the label; bare
//   addresses vanish. Headings, list items, quoted and emphasised text stay without their marks,
//   <nowiki> text as it is; other tags vanish, entities become characters. Text left and right of
//   what vanished does not join to one word, except around comments and inline tags
//   (H<sub>2</sub>O).
// Laws: any bytes are accepted. Text without markup is its own result, but for blank lines and
//   blanks at line ends. What is opened and never closed loses its mark and keeps its contents; a
//   closing mark that nothing opened vanishes.
// Cost: linear in the text, whatever it holds (operations() counts); no recursion; memory for the
//   result and for at most `max_depth` open marks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tain {

class WikiMarkup {
 public:
  /// Marks open at once; deeper ones are ignored with their closing marks.
  static constexpr std::size_t max_depth = 1000;

  /// Knows the English names of the namespaces whose links vanish: File, Image and Category.
  WikiMarkup();
  /// Another name for such a namespace, as wikis in other languages have.
  void drop_links_to(std::string_view namespace_name);
  /// Writes the plain text over `plain`.
  void strip(std::string_view wikitext, std::string& plain);
  /// Bytes looked at and marks closed so far: the cost, free of the clock.
  std::uint64_t operations() const { return operations_; }

 private:
  std::vector<std::string> namespaces_;  ///< lower-case
  std::uint64_t operations_ = 0;
};

}  // namespace tain
