import type { Findings } from './findings.ts'
import { yearMark } from './plain-text.ts'
import { editions, specialEditions, tailWords, titledEditions } from './words.ts'

const end = String.raw`(?=\s|$|[,:\uE000])`
const tail = new RegExp(String.raw`\s(?:${tailWords.join('|')})${end}`, 'giu')
const abbreviated = new RegExp(String.raw`(?<=\s)(?:TPB|HC|OGN|GN|LN)${end}`, 'gu')
const spelled = new RegExp(String.raw`(?<=\S\s)(?:light novels?|one-?shot)${end}`, 'giu')
const freeComicBookDay = /(?<![\p{L}\p{N}])(?:FCBD|Free Comic Book Day)(?:\s(20\d\d))?(?![\p{L}\p{N}])/iu
const pageRange = /(?<=\s)p\d{1,4}(?:-p?\d{1,4})?(?=\s|$)/giu
const titled = new RegExp(String.raw`(?<=\s)(${titledEditions.join('|')})${end}`, 'iu')

/** It removes what a release says of itself at its end: `Batman 001 2016 Digital Zone-Empire`. */
export const withoutTail = (text: string, findings: Findings, isDotted: boolean): string => {
  const firstDigit = text.search(/\d/)
  const match = firstDigit < 0 ? undefined : [...text.matchAll(tail)].find(({ index }) => index > firstDigit)
  const head = match ? text.slice(0, match.index) : text
  const group = match
    ? text
        .slice(match.index + match[0].length)
        .replaceAll(yearMark, '')
        .trim()
    : ''
  if (group !== '') findings.groups.push(group)
  return yearAtEnd(head.replace(pageRange, ' ').replace(/\s+/g, ' ').trim(), findings, isDotted)
}

/** `Batman 001 2016`: behind a number it is a year without brackets; between dots behind anything that has one. */
const yearAtEnd = (text: string, findings: Findings, isDotted: boolean): string => {
  const match = /\s((?:19|20)\d\d)$/.exec(text)
  if (!match) return text
  const head = text.slice(0, match.index)
  if (!/\s\d{2,5}(?:\.\d)?$/.test(head.slice(-9)) && !(isDotted && /\d/.test(head))) return text
  findings.years.push(Number(match[1]))
  return `${head} ${yearMark}`
}

/** It removes words for how a book was put together that are no part of a title: TPB, HC, LN, One-Shot, FCBD. */
export const withoutEditions = (text: string, findings: Findings): string => {
  const takeEdition = (word: string): string => {
    const edition = editions.get(word.toLowerCase())
    if (edition === undefined) return word
    findings.edition ??= edition
    if (specialEditions.has(edition)) findings.isSpecial = true
    return ' '
  }
  const read = text
    .replace(freeComicBookDay, (_, year: string | undefined) => {
      if (year !== undefined) findings.year = Number(year)
      return takeEdition('fcbd')
    })
    .replace(abbreviated, takeEdition)
    .replace(spelled, takeEdition)
  const inTitle = titled.exec(read)?.[1]
  if (inTitle !== undefined) findings.edition ??= editions.get(inTitle.toLowerCase()) ?? inTitle
  return read.replace(/\s+/g, ' ').trim()
}
