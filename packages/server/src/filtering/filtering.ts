export { type Cursor, type Paths, readNear, type Stretch } from './cursors.ts'
export { type Condition, type ConditionOf, fieldsIn, requireCondition } from './check.ts'
export { compileCondition, isAlwaysTrue, forEachRow } from './compile.ts'
export { readerOf, seesTermOfSeries, shownOfOneSeries, shownOfSeries } from './filter-viewer.ts'
export { columnFacet, countValues, type FacetSource, fieldFacets, readStatusFacet } from './facets.ts'
export { lettersFrom } from './letters.ts'
export {
  cursorAt,
  merged,
  nullsLast,
  orderedPage,
  type RankSource,
  type RankedRow,
  type Ranks,
  shuffled,
  sqlDirectionOf,
} from './ordered.ts'
export {
  always,
  both,
  type Comparison,
  flagged,
  hasTerm,
  idComparison,
  isOneOf,
  never,
  not,
  numberComparison,
  ofAny,
  ofColumn,
  textComparison,
  type Truth,
  type Value,
  type EvaluationMode,
} from './tests.ts'
export type { RankedMatch, TextMatch, WordsMatch } from './text-match.ts'
export {
  wrapCondition,
  keyOf,
  narrow,
  type Narrowed,
  type Narrowing,
  seriesApart,
  randomStartOf,
  type Term,
  type ListRequest,
} from './narrow.ts'
export type { IndexedText, SoughtText } from './sought-texts.ts'
export { expectedIn, missingIn, numberedUnit, volumeUnit } from './gaps.ts'
