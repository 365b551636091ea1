import { type Axis, type Findings, type Marker, markRead, type Reading } from './findings.ts'
import { kanjiNumerals, numberWords, readDigits, readNumeral } from './numerals.ts'
import { chapterWords, numberWordsOf, partWords, seasonWords, specialWords, volumeWords } from './words.ts'

/** One thing that names say, and how it is written. The first rule that reads a thing has read it. */
interface MarkerRule {
  readonly name: string
  readonly axis: Axis
  readonly pattern: RegExp
  readonly cuts: Marker['cuts']
  /** Undefined: it looked like it and is not. */
  read(match: RegExpExecArray, findings: Findings): Partial<Findings> | undefined
}

const anyOf = (words: readonly string[]): string =>
  words
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replaceAll(/[.()]/g, String.raw`\$&`))
    .join('|')

const before = String.raw`(?<![\p{L}\p{N}])`
const after = String.raw`(?![\p{L}\p{N}⁄])`
const digits = String.raw`\d{1,5}(?:\.\d{1,3}(?!\d))?½?|½`
const spelled = `${digits}|[IVX]{1,6}${after}|(?:${anyOf(numberWords)})${after}`
/** A range is closed up, or has a sign that can mean nothing else: `Vol. 3 - 7 Seeds` is no range. */
const until = (prefix: string): string => String.raw`(?:(?:[-–]|\s?[~&+]\s?)(?:${prefix})?(${digits}))?`
const revision = String.raw`(?:v\d)?`
const cjk = String.raw`\d{1,4}(?:\.\d)?|[${kanjiNumerals}]{1,7}`

const word = (pattern: string): RegExp => new RegExp(pattern, 'iu')

/** Roman numerals are capitals: `Book i` is none. */
const range = (first: string | undefined, last: string | undefined): readonly [number, number?] | undefined => {
  const from = first === undefined || /^[ivx]/.test(first) ? null : readNumeral(first)
  if (from === null) return undefined
  const to = last === undefined ? null : readNumeral(last)
  return to !== null && to > from ? [from, to] : [from]
}

const volume = (match: RegExpExecArray, findings: Findings): Partial<Findings> | undefined => {
  const numbers = findings.volume === undefined ? range(match[1], match[2]) : undefined
  return numbers && { volume: numbers[0], ...(numbers[1] !== undefined && { volumeEnd: numbers[1] }) }
}

const chapter = (match: RegExpExecArray, findings: Findings): Partial<Findings> | undefined => {
  const numbers = findings.chapter === undefined ? range(match[1], match[2]) : undefined
  return numbers && { chapter: numbers[0], ...(numbers[1] !== undefined && { chapterEnd: numbers[1] }) }
}

const season = (match: RegExpExecArray, findings: Findings): Partial<Findings> | undefined => {
  const numbers = findings.season === undefined ? range(match[1], undefined) : undefined
  return numbers && { season: numbers[0] }
}

const part = (match: RegExpExecArray, findings: Findings): Partial<Findings> | undefined => {
  const numbers = findings.part === undefined ? range(match[1], undefined) : undefined
  return numbers && { part: String(numbers[0]) }
}

const number = (match: RegExpExecArray, findings: Findings): Partial<Findings> | undefined => {
  const [, written, last] = match
  if (written === undefined || findings.number !== undefined) return undefined
  const isRange = last !== undefined && (readDigits(last) ?? 0) > (readDigits(written) ?? 0)
  return { number: written, ...(isRange && { numberEnd: last }) }
}

const special = (match: RegExpExecArray, findings: Findings): Partial<Findings> => ({
  isSpecial: true,
  ...(match[1] !== undefined && { specialWord: match[1] }),
  ...(match[2] !== undefined && findings.number === undefined && { number: match[2] }),
})

const issueNumber = String.raw`-0*1(?!\d)|\d{1,5}(?:\.\d{1,2}(?!\d))?½?(?:⁄\d)?(?:\.[A-Z]{2,4}|[A-Z]{1,3})?|½`
const partLetters: Readonly<Record<string, string>> = { 后: '後' }

const rules: readonly MarkerRule[] = [
  // This rule reads the count: `01 (of 06)`, `1 of 4`.
  {
    name: 'count',
    axis: 'count',
    cuts: 'never',
    pattern: /(?<=\d\s)of\s(\d{1,4})(?=\s|$|[\uE000\uE001])/iu,
    read: (match) => ({ count: Number(match[1]) }),
  },
  // Seasons of web comics: `S2`.
  {
    name: 'season letter',
    axis: 'season',
    cuts: 'adjacent',
    pattern: new RegExp(String.raw`${before}S(\d{1,2})${after}`, 'u'),
    read: season,
  },
  // `Season 3`, `시즌3`.
  {
    name: 'season word',
    axis: 'season',
    cuts: 'adjacent',
    pattern: word(String.raw`${before}(?:${anyOf(seasonWords)})\s?(\d{1,3})${after}`),
    read: season,
  },
  // `第二季`.
  { name: 'season in Chinese', axis: 'season', cuts: 'adjacent', pattern: word(`第(${cjk})[季期]`), read: season },
  // `2부`.
  {
    name: 'season in Korean',
    axis: 'season',
    cuts: 'adjacent',
    pattern: word(String.raw`${before}(\d{1,2})부(?!\p{L})`),
    read: season,
  },
  // `第三部`: parts of long novels.
  { name: 'part in Chinese and Japanese', axis: 'part', cuts: 'adjacent', pattern: word(`第(${cjk})部`), read: part },
  // `Part 2`, `Teil 3`, `Part One`.
  {
    name: 'part word',
    axis: 'part',
    cuts: 'adjacent',
    pattern: word(String.raw`${before}(?:${anyOf(partWords)})\.?\s?(${spelled})${after}`),
    read: part,
  },
  // `全42巻`: the whole series in one.
  {
    name: 'all volumes',
    axis: 'volume',
    cuts: 'always',
    pattern: word(`全(${cjk})[巻卷册冊集]`),
    read: (match, findings) => {
      const last = readNumeral(match[1] ?? '')
      return last === null || findings.volume !== undefined ? undefined : { volume: 1, volumeEnd: last }
    },
  },
  // `第01巻`, `第1-5卷`, `第十二巻`.
  {
    name: 'volume in Chinese and Japanese',
    axis: 'volume',
    cuts: 'always',
    pattern: word(String.raw`第\s?(${cjk})(?:[巻卷]?\s?[-~]\s?第?(${cjk}))?\s?[巻卷册冊集]`),
    read: volume,
  },
  // `23巻`, `01-10巻`: without 第 only in digits.
  {
    name: 'volume before 巻',
    axis: 'volume',
    cuts: 'always',
    pattern: word(String.raw`(?<![\d.])(${digits})(?:[-~](${digits}))?\s?[巻卷册冊]`),
    read: volume,
  },
  // `卷12`, `巻の三`.
  {
    name: 'volume after 巻',
    axis: 'volume',
    cuts: 'always',
    pattern: word(String.raw`[巻卷][のノ之]?\s?(${cjk})(?:[-~](${cjk}))?`),
    read: volume,
  },
  // `第12話`, `第1000话`, `第三十二章`.
  {
    name: 'chapter in Chinese and Japanese',
    axis: 'chapter',
    cuts: 'always',
    pattern: word(String.raw`第\s?(${cjk})(?:[話话]?\s?[-~]\s?第?(${cjk}))?\s?[話话章回節节]`),
    read: chapter,
  },
  // `12話`.
  {
    name: 'chapter before 話',
    axis: 'chapter',
    cuts: 'always',
    pattern: word(String.raw`(?<![\d.])(${digits})(?:[-~](${digits}))?\s?[話话]`),
    read: chapter,
  },
  // `제 3 권`, `1권-9권`.
  {
    name: 'volume in Korean',
    axis: 'volume',
    cuts: 'always',
    pattern: word(String.raw`(?<![\d.])(?:제\s?)?(${digits})\s?(?:권?\s?[-~]\s?(${digits})\s?)?권`),
    read: volume,
  },
  // `12화`, `제110화`.
  {
    name: 'chapter in Korean',
    axis: 'chapter',
    cuts: 'always',
    pattern: word(String.raw`(?<![\d.])(?:제\s?)?(${digits})\s?(?:화?\s?[-~]\s?(${digits})\s?)?[화회장]`),
    read: chapter,
  },
  // `Vols 1 - 42`: the plural says that it is a range.
  {
    name: 'volumes',
    axis: 'volume',
    cuts: 'always',
    pattern: word(String.raw`${before}(?:volumes|vols|tomes|bände)\.?\s?(${digits})\s?[-–~]\s?(${digits})${after}`),
    read: volume,
  },
  // `Volume 3`, `Tome IV`, `Bd. 12`, `Book One`.
  {
    name: 'volume word',
    axis: 'volume',
    cuts: 'always',
    pattern: word(
      String.raw`${before}(?:${anyOf(volumeWords)})[.:]?\s?#?(${spelled})${until(String.raw`v(?:ol)?\.?\s?`)}${revision}${after}`,
    ),
    read: volume,
  },
  // `3. Cilt`, `3. Band`: the number goes first.
  {
    name: 'volume word after',
    axis: 'volume',
    cuts: 'always',
    pattern: word(String.raw`${before}(\d{1,3})\.\s(?:cilt|band|kötet|díl|osa)${after}`),
    read: volume,
  },
  // `Chapters 12 - 15`.
  {
    name: 'chapters',
    axis: 'chapter',
    cuts: 'always',
    pattern: word(String.raw`${before}(?:chapters|chs|chapitres)\.?\s?(${digits})\s?[-–~]\s?(${digits})${after}`),
    read: chapter,
  },
  // `Chapter 12a`: a piece of a chapter.
  {
    name: 'chapter piece',
    axis: 'chapter',
    cuts: 'always',
    pattern: word(String.raw`${before}(?:ch|chap|chapter)[.:]?\s?(\d{1,4})([a-f])${after}`),
    read: (match) => ({ chapter: Number(match[1]), part: match[2]?.toLowerCase() ?? '' }),
  },
  // `Ch. 103.5`, `Kapitel 5`, `Глава 12`; `Chapter 27 v2` was made a second time.
  {
    name: 'chapter word',
    axis: 'chapter',
    cuts: 'always',
    pattern: word(
      String.raw`${before}(?:${anyOf(chapterWords)})[.:]?\s?#?(${digits})${until(String.raw`ch?\.?\s?`)}(?:\s?v\d)?${after}`,
    ),
    read: chapter,
  },
  // `v01`, `v01-v03`.
  {
    name: 'volume letter',
    axis: 'volume',
    cuts: 'always',
    pattern: word(String.raw`${before}v\.?(${digits})${until('v')}(?!\p{N}|(?!c\d)\p{L})`),
    read: volume,
  },
  // `T04`, `T.12`: French volumes. In lower case it is a word of its own.
  {
    name: 'tome letter',
    axis: 'volume',
    cuts: 'always',
    pattern: new RegExp(String.raw`${before}T\.?(\d{1,3})(?:[-–]T?(\d{1,3}))?${after}`, 'u'),
    read: volume,
  },
  // `c012`, `v01c005`, `c012v2`.
  {
    name: 'chapter letter',
    axis: 'chapter',
    cuts: 'always',
    pattern: word(String.raw`(?:${before}|(?<=\uE001))c\.?(${digits})${until('c')}${revision}${after}`),
    read: chapter,
  },
  // `SP1`, `HS 01`: specials in short.
  {
    name: 'special in short',
    axis: 'special',
    cuts: 'always',
    pattern: new RegExp(String.raw`${before}(?:SP|EX|HS)\s?()(\d{1,3})${after}`, 'u'),
    read: (match, findings) => {
      const { isSpecial, number } = special(match, findings)
      return { ...(isSpecial && { isSpecial }), ...(number !== undefined && { number }) }
    },
  },
  // `Omake`, `Extra 3`, `Side Story 2`, `番外編`: at the end or before what follows, for `Special Exits` is a title.
  {
    name: 'special word',
    axis: 'special',
    cuts: 'always',
    pattern: word(
      String.raw`${before}(${anyOf(specialWords)})(?:\s#?(\d{1,4}(?:\.\d)?½?)(?=\s?$|\s?[\uE000\uE001]|\s[-–—]|:))?(?=\s?$|\s?[\uE000\uE001]|\s[-–—]|:|\s#|\s\d+[화話话])`,
    ),
    read: special,
  },
  // `X-Men Annual #1`: a series of its own, beside the main one.
  {
    name: 'annual',
    axis: 'special',
    cuts: 'always',
    pattern: word(String.raw`(?<=${before}annual)(?:\s((?:19|20)\d\d))?(?=\s?$|\s?[\uE000\uE001]|\s[-–—#]|\s\d)`),
    read: (match) => ({
      isSpecial: true,
      edition: 'Annual',
      ...(match[1] !== undefined && { year: Number(match[1]) }),
    }),
  },
  // `#12`, `#1.MU`, `#½`.
  {
    name: 'number sign',
    axis: 'number',
    cuts: 'always',
    pattern: new RegExp(String.raw`${before}#\s?(${issueNumber})(?:-#?(\d{1,5}))?${after}`, 'u'),
    read: number,
  },
  // `Issue 12`, `No. 8`, `prog 1234`.
  {
    name: 'number word',
    axis: 'number',
    cuts: 'always',
    pattern: word(String.raw`${before}(?:${anyOf(numberWordsOf)})\.?\s?#?(\d{1,5}(?:\.\d)?)(?:-(\d{1,5}))?${after}`),
    read: number,
  },
  // `n°3`, `n. 045`, `№5`.
  {
    name: 'number abbreviated',
    axis: 'number',
    cuts: 'always',
    pattern: word(String.raw`(?:${before}n(?:\.|\s?[°º])|№)\s?(\d{1,5})(?:-(\d{1,5}))?${after}`),
    read: number,
  },
  // `上`, `下巻`, `前編`: books in two or three.
  {
    name: 'half in Chinese and Japanese',
    axis: 'part',
    cuts: 'always',
    pattern: /(?<=[\s\uE001]|^)([上中下前後后])[巻卷編编篇册冊]?(?=\s|$|[\uE000\uE001])/u,
    read: (match, findings) =>
      findings.part === undefined ? { part: partLetters[match[1] ?? ''] ?? match[1] ?? '' } : undefined,
  },
]

/** It lets every rule read once. */
export const applyMarkerRules = (reading: Reading): void => {
  for (const rule of rules) {
    const match = rule.pattern.exec(reading.unread)
    if (!match || isBookInTitle(rule, match, reading)) continue
    const findings = rule.read(match, reading.findings)
    if (findings === undefined) continue
    Object.assign(reading.findings, findings)
    markRead(reading, { axis: rule.axis, cuts: rule.cuts, start: match.index, end: match.index + match[0].length })
  }
}

/** `No. 6 v03`: a number nothing stands before, with a volume after it, is the title. */
const isBookInTitle = (rule: MarkerRule, match: RegExpExecArray, reading: Reading): boolean =>
  rule.axis === 'number' && match.index === 0 && reading.markers.length > 0
