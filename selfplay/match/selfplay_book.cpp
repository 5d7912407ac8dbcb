#include "selfplay/match/selfplay_book.h"

#include <memory>
#include <vector>

#include "engine/variants/dispatch.h"
#include "selfplay/data/file_hash.h"
#include "selfplay/match/opening_book.h"

namespace farrier {

void read_selfplay_book(const std::filesystem::path& file, int plies, SelfplaySettings& settings) {
  BookSettings wanted;
  wanted.file = file;
  wanted.plies = plies;
  with_rules(settings.variant, [&]<VariantRules R>() {
    const OpeningBook book = OpeningBook::read<R>(wanted);
    auto openings = std::make_shared<std::vector<Opening>>();
    for (std::size_t i = 0; i < book.size(); ++i)
      openings->push_back(book.opening(static_cast<std::int64_t>(i), BookOrder::Sequential, 0));
    settings.game.openings.book = std::move(openings);
  });
  settings.book_hash = sha256_of_file(file);
}

}  // namespace farrier
