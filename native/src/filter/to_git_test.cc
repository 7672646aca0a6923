#include "filter/to_git.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "hash/hasher.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::RepoBuilder;

struct File {
  std::string name;
  std::string attributes;
  std::string content;
  std::optional<std::string> index_blob;
  int stage = 0;
};

using Random = std::mt19937;

std::string pick(Random& random, std::initializer_list<const char*> words) {
  return words.begin()[random() % words.size()];
}

std::string random_text(Random& random) {
  std::string text;
  static const std::vector<std::string> pieces = {
      "line", "a b c",       "$Id$", "$Id: 123 $", "$Id:$",    "$Id: x", "$Id",        "$",
      "Id:",  "$Id: a\nb $", "\t",   "$$Id: y$",   "\xc3\xa9", "\xff",   "$Id$Id: z $"};
  const bool has_lone_cr = random() % 4 == 0;
  const bool has_nul = random() % 8 == 0;
  const bool has_control = random() % 6 == 0;
  const unsigned endings = random() % 4;
  for (size_t lines = random() % 12; lines > 0; --lines) {
    for (size_t n = random() % 3; n > 0; --n) text += pieces[random() % pieces.size()];
    if (has_lone_cr && random() % 4 == 0) text += '\r';
    if (has_nul && random() % 6 == 0) text += '\0';
    if (has_control && random() % 3 == 0) text += "\x01\x7f\x1a\f\b\x1b"[random() % 6];
    if (random() % 10 == 0) text += std::string(100 + random() % 60, 'x');
    if (endings == 0 || (endings == 2 && random() % 2)) text += '\r';
    if (endings < 3) text += '\n';
  }
  if (random() % 20 == 0) text += '\x1a';
  return text;
}

// `text` with each byte as one UTF-16 or UTF-32 unit. It may get a byte order mark or be cut short.
std::string random_wide_text(Random& random) {
  const size_t width = random() % 3 ? 2 : 4;
  const bool big = random() % 2;
  std::string text = random_text(random), out;
  auto unit = [&](unsigned value) {
    for (size_t i = 0; i < width; ++i) {
      size_t shift = 8 * (big ? width - 1 - i : i);
      out += static_cast<char>(value >> shift);
    }
  };
  if (random() % 3) unit(0xfeff);
  for (char c : text) unit(static_cast<unsigned char>(c));
  if (random() % 10 == 0) out += 'x';
  return out;
}

std::string random_attributes(Random& random) {
  return pick(random, {"", "", "text", "-text", "text=auto", "text=auto", "text=input",
                       "text=other", "!text", "binary"}) +
         " " + pick(random, {"", "", "crlf", "-crlf", "crlf=input", "crlf=auto"}) + " " +
         pick(random, {"", "", "", "eol=lf", "eol=crlf", "eol=other", "-eol"}) + " " +
         pick(random, {"", "ident", "-ident", "ident=x"});
}

class ToGit : public ::testing::Test {
 protected:
  void start(const std::vector<File>& files) {
    repo_.init();
    repo_.set_environment("GIT_ATTR_NOSYSTEM", "1");
    std::string attributes, names, blobs, entries;
    for (const File& file : files) {
      attributes += file.name + " " + file.attributes + "\n";
      repo_.write(file.name, file.content);
      names += file.name + "\n";
      if (!file.index_blob) continue;
      repo_.write(".git/blob/" + file.name, *file.index_blob);
      blobs += ".git/blob/" + file.name + "\n";
    }
    repo_.write(".git/info/attributes", attributes);
    attributes_ = AttributeStack::create(
        {.info = AttributeFile::parse(attributes, "", AttributeSource::kFile)});
    names_ = names;
    std::istringstream ids(
        repo_.git({"hash-object", "-w", "--no-filters", "--stdin-paths"}, blobs));
    for (const File& file : files) {
      std::string id;
      if (!file.index_blob || !std::getline(ids, id)) continue;
      entries += "100644 " + id + " " + std::to_string(file.stage) + "\t" + file.name + "\n";
    }
    index_entries_ = entries;
  }

  std::string our_id(const File& file, const ConversionConfig& config, bool with_index) {
    Conversion conversion = decide_conversion(attributes_->lookup(file.name, {}), config);
    EXPECT_TRUE(conversion.kind == ConversionKind::kNone || may_convert(*attributes_, config));
    EXPECT_NE(conversion.kind, ConversionKind::kExternal) << file.attributes;
    auto converted = to_git(file.content, conversion, [&] {
      return with_index && file.stage % 2 == 0 ? file.index_blob : std::nullopt;
    });
    if (converted) ++changed_;
    return hash_object(HashAlgorithm::kSha1, "blob",
                       as_bytes(converted ? *converted : file.content))
        .hex();
  }

  RepoBuilder repo_;
  std::shared_ptr<const AttributeStack> attributes_;
  std::string names_;
  std::string index_entries_;
  int changed_ = 0;
};

TEST_F(ToGit, AgreesWithHashObject) {
  Random random(1);
  std::vector<File> files;
  for (int i = 0; i < 1500; ++i) {
    std::string encoding =
        pick(random, {"", "", "UTF-16", "utf16", "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32LE",
                      "UTF-32BE", "UTF-16LE-BOM", "UTF-16BE-BOM", "utf8", "UTF-8", "latin-1",
                      "ISO-8859-1", "SHIFT-JIS", "nope", "UTF-7", "UCS-2"});
    std::string attributes = random_attributes(random);
    if (!encoding.empty()) attributes += " working-tree-encoding=" + encoding;
    if (random() % 40 == 0)
      attributes += pick(random, {" -working-tree-encoding", " working-tree-encoding="});
    files.push_back({"f" + std::to_string(i), attributes,
                     random() % 2 ? random_text(random) : random_wide_text(random), std::nullopt});
  }
  start(files);
  for (const char* autocrlf : {"false", "true", "input"}) {
    for (const char* eol : {"lf", "crlf"}) {
      std::istringstream ids(
          repo_.git({"-c", std::string("core.autocrlf=") + autocrlf, "-c",
                     std::string("core.eol=") + eol, "hash-object", "--stdin-paths"},
                    names_));
      const ConversionConfig config{std::string(autocrlf) != "false", {}};
      for (const File& file : files) {
        std::string id;
        std::getline(ids, id);
        EXPECT_EQ(our_id(file, config, false), id)
            << file.attributes << "\nautocrlf " << autocrlf << "\n"
            << ::testing::PrintToString(file.content);
      }
    }
  }
  EXPECT_GT(changed_, 1000);
}

TEST_F(ToGit, AgreesWithAddAboutContentThatTheIndexHas) {
  Random random(2);
  std::vector<File> files;
  for (int i = 0; i < 1500; ++i) {
    std::string content = random_text(random);
    std::optional<std::string> blob;
    if (random() % 4) blob = random() % 2 ? random_text(random) : content;
    files.push_back({"f" + std::to_string(i), random_attributes(random), content, blob,
                     static_cast<int>(random() % 8 == 0 ? 1 + random() % 3 : 0)});
  }
  start(files);
  for (const char* autocrlf : {"false", "true", "input"}) {
    repo_.git({"read-tree", "--empty"});
    repo_.git({"update-index", "--index-info"}, index_entries_);
    repo_.git({"-c", std::string("core.autocrlf=") + autocrlf, "add", "--pathspec-from-file=-"},
              names_);
    std::map<std::string, std::string> ids;
    std::istringstream lines(repo_.git({"ls-files", "-s"}));
    for (std::string mode, id, stage, name; lines >> mode >> id >> stage >> name;) ids[name] = id;
    const ConversionConfig config{std::string(autocrlf) != "false", {}};
    for (const File& file : files) {
      EXPECT_EQ(our_id(file, config, true), ids[file.name])
          << file.attributes << "\nautocrlf " << autocrlf << "\nstage " << file.stage << "\n"
          << ::testing::PrintToString(file.content)
          << "\nindex: " << ::testing::PrintToString(file.index_blob.value_or("(none)"));
    }
  }
  EXPECT_GT(changed_, 300);
}

TEST(Conversion, TheIndexIsAskedOnlyWhereItMatters) {
  Conversion conversion{.kind = ConversionKind::kBuiltin,
                        .eol = EolConversion::kAuto,
                        .encoding = {},
                        .filter_driver = {}};
  int asked = 0;
  auto blob = [&] { return ++asked, std::optional<std::string>("x\r\n"); };
  EXPECT_EQ(to_git("a\n", conversion, blob), std::nullopt);
  EXPECT_EQ(to_git(std::string_view("a\r\n\0", 4), conversion, blob), std::nullopt);
  EXPECT_EQ(asked, 0);
  EXPECT_EQ(to_git("a\r\n", conversion, blob), std::nullopt);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(to_git("a\r\n", conversion, nullptr), "a\n");
}

TEST(Conversion, ExternalFiltersAndRefusedAttributesAreLeftToGit) {
  auto config = ConversionConfig::read(Config::from_entries({{"filter.clean.clean", "cat"},
                                                             {"filter.process.process", "p"},
                                                             {"filter.off.clean", ""},
                                                             {"filter.disabled.clean", "cat"},
                                                             {"filter.disabled.process", ""},
                                                             {"filter.smudge.smudge", "cat"},
                                                             {"filter.a.b.required", "true"},
                                                             {"filter.clean", "x"},
                                                             {"core.autocrlf", "INPUT"}}));
  EXPECT_TRUE(config.autocrlf);
  auto kind = [&](const std::string& attributes) {
    auto stack = AttributeStack::create(
        {.root = AttributeFile::parse("* -text " + attributes + "\n", "", AttributeSource::kFile)});
    return decide_conversion(stack->lookup("a", {}), config).kind;
  };
  EXPECT_EQ(kind("filter=clean"), ConversionKind::kExternal);
  EXPECT_EQ(kind("filter=process"), ConversionKind::kExternal);
  EXPECT_EQ(kind("filter=a.b"), ConversionKind::kExternal);
  EXPECT_EQ(kind("working-tree-encoding"), ConversionKind::kExternal);
  for (const char* none :
       {"filter=off", "filter=disabled", "filter=smudge", "filter=unknown", "filter", "-filter",
        "-working-tree-encoding", "working-tree-encoding=utf8"}) {
    EXPECT_EQ(kind(none), ConversionKind::kNone) << none;
  }
  EXPECT_EQ(kind("filter=unknown ident"), ConversionKind::kBuiltin);
}

TEST(Conversion, MostStacksConvertNothing) {
  EXPECT_FALSE(may_convert(*AttributeStack::create({}), {}));
  EXPECT_TRUE(may_convert(*AttributeStack::create({}), {.autocrlf = true, .drivers = {}}));
  auto file = AttributeFile::parse("*.md diff=markdown\n", "", AttributeSource::kFile);
  EXPECT_FALSE(may_convert(*AttributeStack::create({.root = file}), {}));
}

}  // namespace
}  // namespace resident
