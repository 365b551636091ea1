import { type Static, Type } from 'typebox'
import { limits } from './limits.ts'
import { PersonOfBook, seriesStatuses } from './metadata.ts'
import { onPlugin } from './method.ts'
import { Json, Maybe, Moment, Texts, Word, message } from './schema.ts'

export const readingStatuses = ['unread', 'reading', 'completed', 'on_hold', 'dropped', 'plan_to_read'] as const
export const dismissReasons = ['not_interested', 'already_read', 'already_owned'] as const

/**
 * These fields come on top of what every entry has, for plugins with `wantsFullMetadata`, as far as administrator and
 * user permit.
 */
export const EntryMetadata = message({
  summary: Maybe(Type.String()),
  publisher: Maybe(Type.String()),
  imprint: Maybe(Type.String()),
  authors: Maybe(Type.Array(Type.Union([PersonOfBook, Type.String()]))),
  language: Maybe(Type.String()),
  ageRating: Maybe(Type.Integer()),
  readingDirection: Maybe(Type.String()),
})

/**
 * One series of the user's library, with what they have read of it. A host sends every list, empty ones too, for older
 * plugins count on them; a plugin takes an absent list for an empty one.
 */
export const LibraryEntry = message({
  seriesId: Type.String({ minLength: 1, description: 'Of the host.' }),
  title: Type.String(),
  alternateTitles: Maybe(Texts),
  year: Maybe(Type.Integer()),
  status: Maybe(Word(seriesStatuses)),
  genres: Maybe(Texts),
  tags: Maybe(Texts),
  totalVolumeCount: Maybe(Type.Integer()),
  totalChapterCount: Maybe(Type.Number()),
  externalIds: Maybe(
    Type.Array(
      message({
        source: Type.String(),
        externalId: Type.String(),
        externalUrl: Maybe(Type.String()),
      }),
    ),
  ),
  /** `unread` is a series the user has and has not begun: what a plugin that recommends from the library itself chooses from. */
  readingStatus: Maybe(Word(readingStatuses)),
  booksRead: Maybe(Type.Integer()),
  booksOwned: Maybe(Type.Integer()),
  userRating: Maybe(Type.Number({ description: '1 to 100.' })),
  userNotes: Maybe(Type.String()),
  startedAt: Maybe(Moment),
  lastReadAt: Maybe(Moment),
  completedAt: Maybe(Moment),
  metadata: Maybe(EntryMetadata),
  customMetadata: Maybe(Json),
})
export type LibraryEntry = Static<typeof LibraryEntry>

export const RecommendationsParams = message({
  library: Type.Array(LibraryEntry, { maxItems: limits.libraryEntries }),
  limit: Maybe(Type.Integer({ minimum: 1 })),
  /** External ids, as the plugin itself has given them before. */
  excludeIds: Maybe(Texts),
  /** In which the reasons are read: BCP 47. */
  language: Maybe(Type.String()),
})
export type RecommendationsParams = Static<typeof RecommendationsParams>

export const Recommendation = message({
  externalId: Type.String({ minLength: 1 }),
  title: Type.String(),
  score: Type.Number({ description: '0 to 1.' }),
  reason: Type.String({ description: 'A sentence for the user.' }),
  basedOn: Maybe(Texts),
  externalUrl: Maybe(Type.String()),
  coverUrl: Maybe(Type.String()),
  summary: Maybe(Type.String()),
  genres: Maybe(Texts),
  tags: Maybe(
    Type.Array(message({ name: Type.String(), rank: Maybe(Type.Integer()), category: Maybe(Type.String()) })),
  ),
  /** The `seriesId` of the library, when it is a series the user has: the wire's name for it. */
  codexSeriesId: Maybe(Type.String()),
  inLibrary: Maybe(Type.Boolean()),
  status: Maybe(Word(seriesStatuses)),
  format: Maybe(Type.String()),
  countryOfOrigin: Maybe(Type.String()),
  startYear: Maybe(Type.Integer()),
  totalVolumeCount: Maybe(Type.Integer()),
  totalChapterCount: Maybe(Type.Number()),
  rating: Maybe(Type.Number({ description: '0 to 100.' })),
  popularity: Maybe(Type.Integer()),
})
export type Recommendation = Static<typeof Recommendation>

export const RecommendationsReply = message({
  recommendations: Type.Array(Recommendation),
  generatedAt: Maybe(Moment),
  cached: Maybe(Type.Boolean()),
})
export type RecommendationsReply = Static<typeof RecommendationsReply>

export const DismissParams = message({
  externalId: Type.String({ minLength: 1 }),
  reason: Maybe(Word(dismissReasons)),
})
export type DismissParams = Static<typeof DismissParams>

export const ProfileParams = message({ entries: Type.Array(LibraryEntry, { maxItems: limits.libraryEntries }) })
export type ProfileParams = Static<typeof ProfileParams>

const recommendations = { needs: 'recommendations' } as const

export const getRecommendations = onPlugin('recommendations/get', {
  ...recommendations,
  params: RecommendationsParams,
  result: RecommendationsReply,
})
export const dismissRecommendation = onPlugin('recommendations/dismiss', {
  ...recommendations,
  optional: true,
  params: DismissParams,
  result: message({ dismissed: Type.Boolean() }),
})
export const clearRecommendations = onPlugin('recommendations/clear', {
  ...recommendations,
  optional: true,
  result: message({ cleared: Type.Boolean() }),
})
export const updateProfile = onPlugin('recommendations/updateProfile', {
  ...recommendations,
  optional: true,
  params: ProfileParams,
  result: message({ updated: Type.Boolean(), entriesProcessed: Maybe(Type.Integer()) }),
})
