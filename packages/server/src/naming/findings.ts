import { readMark } from './plain-text.ts'

/** It holds what the rules have read in a name so far; absent fields were not found. */
export interface Findings {
  seriesTitle?: string
  seriesYear?: number
  year?: number
  volume?: number
  volumeEnd?: number
  chapter?: number
  chapterEnd?: number
  number?: string
  numberEnd?: string
  count?: number
  season?: number
  part?: string
  isSpecial?: boolean
  edition?: string
  language?: string
  specialWord?: string
  readonly groups: string[]
  /** One for each year mark in the text, in the same order. */
  readonly years: number[]
}

export type Axis = 'count' | 'season' | 'part' | 'volume' | 'chapter' | 'special' | 'number'

/** It says where in the text a rule has read something. */
export interface Marker {
  readonly axis: Axis
  readonly start: number
  readonly end: number
  /**
   * It says whether the title of the series ends before it; `adjacent`: only when another such marker follows at once.
   */
  readonly cuts: 'always' | 'adjacent' | 'never'
}

/** A name while it is being read: rules put marks where they have read, so that none reads twice. */
export interface Reading {
  /** Same length as `text`, with marks for what has been read. */
  unread: string
  readonly text: string
  /** The text up to here is a series known by other means; nothing is read in there. */
  readonly knownUntil: number
  readonly findings: Findings
  readonly markers: Marker[]
}

export const startReading = (text: string, findings: Findings, knownUntil = 0): Reading => ({
  text,
  unread: readMark.repeat(knownUntil) + text.slice(knownUntil),
  knownUntil,
  findings,
  markers: [],
})

export const markRead = (reading: Reading, marker: Marker): void => {
  const { start, end } = marker
  reading.markers.push(marker)
  reading.unread = reading.unread.slice(0, start) + readMark.repeat(end - start) + reading.unread.slice(end)
}
