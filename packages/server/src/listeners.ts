import type { Listeners } from './catalogue/listeners/listeners.ts'
import { countAnew, countOtherBooks } from './features/libraries/libraries.ts'
import { leaveGroups } from './features/duplicates/duplicates.ts'
import { forgetRatings } from './features/ratings/ratings.ts'
import { fillPlacesIn } from './features/read-lists/read-lists.ts'
import { recountOtherBooks } from './features/reading/reading.ts'

/** The table of contents of what follows in features when the catalogue changes or somebody goes, in the same transaction and in this order. */
export const listeners: Listeners = {
  seriesGo: [leaveGroups],
  librariesMiscounted: [countAnew],
  userGoes: [forgetRatings],
  seriesChanged: [countOtherBooks, recountOtherBooks, fillPlacesIn],
}
