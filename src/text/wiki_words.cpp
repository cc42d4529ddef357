#include "text/wiki_words.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <unordered_map>

namespace tain {
namespace {

/// Names of consecutive code points, "-" where there is none.
struct Names {
  std::int32_t first;
  std::string_view names;
};

// The entities of HTML 4.
constexpr auto ranges = std::to_array<Names>({
    {160,
     "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn "
     "sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave "
     "Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc "
     "Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute "
     "THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml "
     "igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave "
     "uacute ucirc uuml yacute thorn yuml"},
    {338, "OElig oelig"},
    {352, "Scaron scaron"},
    {376, "Yuml"},
    {402, "fnof"},
    {710, "circ"},
    {732, "tilde"},
    {913,
     "Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - "
     "Sigma Tau Upsilon Phi Chi Psi Omega - - - - - - - alpha beta gamma delta epsilon zeta eta "
     "theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega"},
    {977, "thetasym upsih - - - piv"},
    {8194, "ensp emsp - - - - - thinsp - - zwnj zwj lrm rlm"},
    {8211, "ndash mdash - - - lsquo rsquo sbquo - ldquo rdquo bdquo - dagger Dagger bull"},
    {8230, "hellip"},
    {8240, "permil - prime Prime - - - - - lsaquo rsaquo"},
    {8254, "oline"},
    {8260, "frasl"},
    {8364, "euro"},
    {8465, "image"},
    {8472, "weierp"},
    {8476, "real"},
    {8482, "trade"},
    {8501, "alefsym"},
    {8592, "larr uarr rarr darr harr"},
    {8629, "crarr"},
    {8656, "lArr uArr rArr dArr hArr"},
    {8704, "forall - part exist - empty - nabla isin notin - ni"},
    {8719, "prod - sum minus"},
    {8727, "lowast"},
    {8730, "radic - - prop infin"},
    {8736, "ang"},
    {8743, "and or cap cup int"},
    {8756, "there4"},
    {8764, "sim"},
    {8773, "cong"},
    {8776, "asymp"},
    {8800, "ne equiv"},
    {8804, "le ge"},
    {8834, "sub sup nsub - sube supe"},
    {8853, "oplus - otimes"},
    {8869, "perp"},
    {8901, "sdot"},
    {8968, "lceil rceil lfloor rfloor"},
    {9001, "lang rang"},
    {9674, "loz"},
    {9824, "spades - - clubs - hearts diams"},
    {'"', "quot"},
    {'&', "amp apos"},
    {'<', "lt - gt"},
});

const std::unordered_map<std::string_view, std::int32_t>& entities() {
  static const auto table = [] {
    std::unordered_map<std::string_view, std::int32_t> all;
    for (const Names& range : ranges) {
      std::int32_t c = range.first;
      std::string_view rest = range.names;
      while (!rest.empty()) {
        const std::size_t length = std::min(rest.find(' '), rest.size());
        if (rest[0] != '-') {
          all.emplace(rest.substr(0, length), c);
        }
        ++c;
        rest.remove_prefix(std::min(length + 1, rest.size()));
      }
    }
    return all;
  }();
  return table;
}

std::int32_t numbered(std::string_view digits) {
  int base = 10;
  if (!digits.empty() && (digits[0] == 'x' || digits[0] == 'X')) {
    digits.remove_prefix(1);
    base = 16;
  }
  std::int32_t value = 0;
  const auto [end, fault] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  const bool is_number = fault == std::errc() && end == digits.data() + digits.size();
  const bool is_character = value > 0 && value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
  return is_number && is_character ? value : 0;
}

struct Elements {
  Element kind;
  std::string_view names;
};

constexpr auto elements = std::to_array<Elements>({
    {Element::contents,
     "ref references math chem ce gallery code pre source syntaxhighlight timeline score hiero "
     "imagemap graph mapframe maplink templatedata templatestyles indicator inputbox categorytree "
     "section style script"},
    {Element::verbatim, "nowiki"},
    {Element::block,
     "br hr p div center blockquote poem table caption thead tbody tfoot tr td th ul ol li dl dt "
     "dd h1 h2 h3 h4 h5 h6 noinclude includeonly onlyinclude"},
    {Element::inline_text,
     "b i u s em strong small big sub sup span font tt kbd samp var cite abbr del ins strike q rb "
     "rp rt ruby bdi bdo mark dfn wbr time data"},
});

}  // namespace

std::int32_t entity_code_point(std::string_view name) {
  if (name.starts_with('#')) {
    return numbered(name.substr(1));
  }
  const auto found = entities().find(name);
  return found == entities().end() ? 0 : found->second;
}

Element element_kind(std::string_view name) {
  static const auto table = [] {
    std::unordered_map<std::string_view, Element> all;
    for (const Elements& group : elements) {
      std::string_view rest = group.names;
      while (!rest.empty()) {
        const std::size_t length = std::min(rest.find(' '), rest.size());
        all.emplace(rest.substr(0, length), group.kind);
        rest.remove_prefix(std::min(length + 1, rest.size()));
      }
    }
    return all;
  }();
  const auto found = table.find(name);
  return found == table.end() ? Element::unknown : found->second;
}

}  // namespace tain
