import type { Listeners } from './catalogue/listeners/listeners.ts'
import { overrideRule } from './catalogue/shown/shown.ts'
import { countAnew, countOtherBooks } from './features/libraries/libraries.ts'
import { leaveGroups } from './features/duplicates/duplicates.ts'
import { forgetRatings, ratingRules } from './features/ratings/ratings.ts'
import { entryRule, fillWaitingIn } from './features/read-lists/read-lists.ts'
import { recountOtherBooks } from './features/reading/reading.ts'
import { wantToReadRules } from './features/want-to-read/want-to-read.ts'
import { followRules } from './features/following/following.ts'
import { statusRule } from './features/series-status/series-status.ts'
import { memberRule } from './features/collections/collections.ts'
import { partRule, undoHistoryLine } from './features/merging/merging.ts'
import { coverRules } from './features/covers/covers.ts'
import { markRules } from './features/annotations/annotations.ts'
import { readerSettingRule } from './features/reader-settings/reader-settings.ts'

/** The table of contents of what follows in features when the catalogue changes or somebody goes, in the same transaction and in this order. */
export const listeners: Listeners = {
  seriesGo: [leaveGroups],
  librariesMiscounted: [countAnew],
  changeUndone: [undoHistoryLine],
  userGoes: [forgetRatings],
  merged: [
    ...ratingRules,
    ...wantToReadRules,
    readerSettingRule,
    statusRule,
    ...followRules,
    memberRule,
    ...markRules,
    entryRule,
    partRule,
    ...coverRules,
    overrideRule,
  ],
  seriesChanged: [countOtherBooks, recountOtherBooks, fillWaitingIn],
}
