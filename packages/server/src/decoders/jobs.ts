import { analyse } from './analyse.ts'
import { contents, positions, resource, searchText } from './contents.ts'
import { bookCover, cover, coverTone, pageCover } from './cover.ts'
import { drawPicture } from './draw-picture.ts'
import { embed } from './embed.ts'
import { koreaderStatistics } from './koreader-statistics.ts'
import { cutPage, listPages, page, pageText } from './page.ts'
import { matchQueries } from './match-queries.ts'
import { readList } from './read-list.ts'
import { renderTemplate } from './render-template.ts'
import { sidecars } from './sidecars.ts'

/** A decoder can run these jobs. A job gets plain data and gives plain data; parts are signs of life. */
export const jobs = {
  analyse,
  sidecars,
  page,
  cutPage,
  listPages,
  pageText,
  bookCover,
  pageCover,
  cover,
  coverTone,
  contents,
  positions,
  resource,
  searchText,
  readList,
  renderTemplate,
  matchQueries,
  koreaderStatistics,
  drawPicture,
  embed,
}

export type Jobs = typeof jobs
