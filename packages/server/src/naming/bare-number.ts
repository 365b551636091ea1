import { markRead, type Reading } from './findings.ts'
import { readDigits } from './numerals.ts'
import { isSeparator } from './plain-text.ts'

interface Candidate {
  readonly written: string
  readonly last: string | undefined
  readonly start: number
  readonly end: number
}

const ends = String.raw`[\uE000\uE001]`
const candidatePattern = new RegExp(
  String.raw`(?<=^|[\s\uE000\uE001])(-0*1|\d{1,5}(?:\.\d{1,2}(?!\d))?½?|½|\d{1,2}⁄\d{1,2})(\.[A-Z]{2,4}|(?<=0\d{1,3})[A-Z]{2,3}|(?!D)[A-Za-z])?(?:-(\d{1,5})(?![\d-]))?(?=$|\s|${ends}|[,:;)](?:\s|$)|\.\s)`,
  'gu',
)
/** `ワンピース1`: languages without spaces need none here. */
const joinedPattern = /(?<=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}ー！？])(\d{1,4})()()(?=$|[\s\uE000]*$)/gu

/**
 * A number that stands without any word: `Batman 001`, `7 Seeds 12`, `Thorgal 12 - Title`, `01 - Title`. What makes it
 * likely counts, the last of equals is it: a title holds numbers at its beginning sooner than at its end.
 */
export const readBareNumber = (reading: Reading): void => {
  const { findings, markers } = reading
  if (findings.number !== undefined || findings.chapter !== undefined) return
  // A number behind a volume must stand right behind it.
  const from = markers.some((marker) => marker.cuts !== 'never')
    ? Math.max(...markers.map(({ end }) => end))
    : undefined
  const best = candidatesIn(reading.unread)
    .filter(
      (candidate) =>
        from === undefined || (candidate.start >= from && isSeparator(reading.unread.slice(from, candidate.start))),
    )
    .map((candidate) => ({ candidate, weight: weigh(candidate, reading) }))
    .reduce<{ candidate: Candidate; weight: number } | undefined>(
      (best, each) => (each.weight > 0 && each.weight >= (best?.weight ?? 0) ? each : best),
      undefined,
    )
  if (!best) return
  const { written, last, start, end } = best.candidate
  findings.number = written
  if (last !== undefined && (readDigits(last) ?? 0) > (readDigits(written) ?? 0)) findings.numberEnd = last
  markRead(reading, { axis: 'number', cuts: 'always', start, end })
}

const candidatesIn = (text: string): readonly Candidate[] =>
  [...text.matchAll(candidatePattern), ...text.matchAll(joinedPattern)].map((match) => ({
    written: `${match[1] ?? ''}${match[2] ?? ''}`,
    last: match[3] === '' ? undefined : match[3],
    start: match.index,
    end: match.index + match[0].length,
  }))

const weigh = ({ written, start, end }: Candidate, { unread, knownUntil }: Reading): number => {
  const rest = unread.slice(end)
  const isLast = isSeparator(rest)
  // A title follows, or something that has been read: both end the number.
  const isSetOff = isLast || /^(?:\s[-–—]\s|:\s|\.\s|\)\s|\s?[\uE000\uE001])/u.test(rest)
  const isPadded = /^0\d|^0$/.test(written)
  const isFirst = isSeparator(unread.slice(0, start))
  if (isYear(written)) return 0
  if (isFirst && knownUntil > 0) return isSetOff || isPadded ? 5 : 0
  if (isFirst) return isLast ? 3 : isSetOff ? 1.5 : isPadded ? 1 : 0
  if (isSetOff) return isPadded || /^\d{3}/.test(written) ? 4 : 3
  if (isPadded) return 2
  // `Beelzebub_172_RHS`: a release behind the number.
  return /^\d{3}/.test(written) && /^\s[A-Z]{2,6}$/.test(rest) ? 1 : 0
}

/** `Blade Runner 2049`, `WicDiv 1923`: such a number is part of a title. */
const isYear = (written: string): boolean => /^(?:19|20)\d\d$/.test(written)
