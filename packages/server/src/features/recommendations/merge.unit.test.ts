import { array, assert, constantFrom, property, record, uniqueArray } from 'fast-check'
import { expect, test } from 'vitest'
import { type Contributed, merge } from './merge.ts'

const nothing = {
  serviceSeriesId: null,
  countryOfOrigin: null,
  coverUrl: null,
  externalUrl: null,
  format: null,
  genres: [],
  inLibrary: false,
  popularity: null,
  rating: null,
  startYear: null,
  status: null,
  summary: null,
  tags: null,
  totalChapterCount: null,
  totalVolumeCount: null,
}

const item = record({
  externalId: constantFrom('1', '2', '3', '4'),
  title: constantFrom('A', 'B', 'C'),
  reason: constantFrom('because', 'for', 'as'),
  score: constantFrom(0, 0.25, 0.5, 1),
  basedOn: array(constantFrom('X', 'Y', 'Z'), { maxLength: 3 }),
}).map((some): Contributed => ({ ...nothing, ...some }))

const contributions = array(uniqueArray(item, { selector: ({ externalId }) => externalId }), { maxLength: 4 }).map(
  (lists) => lists.map((items, number) => ({ source: `s${number % 2}`, pluginName: `plugin ${number}`, items })),
)

test('REC-1 W17 of what several plugins recommend the highest score counts, with the reasons of all', () => {
  assert(
    property(contributions, (given) => {
      const merged = merge(given)
      const all = given.flatMap(({ items, ...by }) => items.map((each) => ({ ...each, ...by })))
      expect(merged.map(({ externalId }) => externalId).toSorted()).toEqual(
        [...new Set(all.map(({ externalId }) => externalId))].toSorted(),
      )
      for (const each of merged) {
        const several = all.filter(({ externalId }) => externalId === each.externalId)
        const highest = Math.max(...several.map(({ score }) => score))
        const best = several.find(({ score }) => score === highest)
        expect(each).toMatchObject({ score: highest, title: best?.title, source: best?.source })
        expect(each.sourcePlugin).toBe(best?.pluginName)
        expect(each.reason.split(' · ').toSorted()).toEqual(
          [...new Set(several.map(({ reason }) => reason))].toSorted(),
        )
        expect(each.reason.startsWith(best?.reason ?? '')).toBe(true)
        expect(each.basedOn.toSorted()).toEqual([...new Set(several.flatMap(({ basedOn }) => basedOn))].toSorted())
      }
      const order = merged.map(({ score, title, externalId }) => `${(2 - score).toFixed(3)} ${title} ${externalId}`)
      expect(order).toEqual(order.toSorted())
    }),
  )
})
