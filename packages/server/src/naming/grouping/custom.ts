import { RE2JS, RE2JSException } from 're2js'
import { readNumeral } from '../numerals.ts'
import { trimTitle } from '../plain-text.ts'
import { folderGrouping } from './folder.ts'
import { type GroupingPolicy, namesOnPath, type PathClaims } from './grouping-policy.ts'
import { keyIn, namedSeries } from './series-by-name.ts'

/** What a pattern can say of a path, by the names of its groups. */
const groupNames = [
  'series',
  'volume',
  'number',
  'chapter',
  'title',
  'year',
  'publisher',
  'author',
  'language',
] as const

/** The larger the program of a pattern, the longer each path takes. A sensible one needs some fifty instructions. */
const longestProgram = 500

/** A pattern says what a path is; its engine takes no longer than the path is long. Others are grouped as in `folder`. */
export const customGrouping = (pattern: string): GroupingPolicy => {
  const compiled = compile(pattern)
  if (typeof compiled === 'string') throw new Error(`The pattern ${compiled}`)
  const indexOf = compiled.namedGroups()
  // A matcher would look through the path once for whether it matches, and again for its groups.
  const program = compiled.re2()
  return {
    seriesOf: (relativePath) => {
      const path = namesOnPath(relativePath.normalize('NFC')).join('/')
      const groups: readonly (string | null)[] = program.findSubmatch(path) ?? []
      const group = (name: (typeof groupNames)[number]): string => trimTitle(groups[indexOf[name] ?? Number.NaN] ?? '')
      const series = group('series')
      if (series === '') return folderGrouping.seriesOf(relativePath)
      const claims = claimsFrom(group)
      const { key, ...grouped } = namedSeries(series, claims.year)
      const above = [claims.publisher, claims.author].filter((each) => each !== undefined)
      return { ...grouped, key: keyIn(above, key), ...(Object.keys(claims).length > 0 && { claims }) }
    },
  }
}

/** What is wrong with a pattern, as words behind "The pattern"; undefined when nothing is. */
export const patternProblem = (pattern: string): string | undefined => {
  const compiled = compile(pattern)
  return typeof compiled === 'string' ? compiled : undefined
}

const compile = (pattern: string): RE2JS | string => {
  const compiled = compileRe2(pattern)
  if (typeof compiled === 'string') return compiled
  const named = Object.keys(compiled.namedGroups())
  const unknown = named.find((name) => !groupNames.some((each) => each === name))
  if (unknown !== undefined) return `has a group "${unknown}". Its groups can be: ${groupNames.join(', ')}.`
  if (!named.includes('series')) return 'needs a group that is called series: (?<series>…).'
  if (compiled.programSize() > longestProgram) return 'is too large. Repeat less in it.'
  return compiled
}

const compileRe2 = (pattern: string): RE2JS | string => {
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    return `cannot be read: ${error.message}. Looking ahead or behind and back references are not possible.`
  }
}

const claimsFrom = (group: (name: (typeof groupNames)[number]) => string): PathClaims => {
  const [publisher, author, title, number, language] = [
    group('publisher'),
    group('author'),
    group('title'),
    group('number'),
    group('language').toLowerCase(),
  ]
  const year = /^(?:1[89]|20)\d\d$/.test(group('year')) ? Number(group('year')) : null
  const [volume, chapter] = [readNumeral(group('volume')), readNumeral(group('chapter'))]
  return {
    ...(publisher !== '' && { publisher }),
    ...(author !== '' && { author }),
    ...(year !== null && { year }),
    ...(language !== '' && { language }),
    ...(volume !== null && { volume }),
    ...(chapter !== null && { chapter }),
    ...(number !== '' && { number }),
    ...(title !== '' && { title }),
  }
}
