import { targetOf } from './book-address.ts'
import type { BookMap } from './book-map.ts'

/** A part of the text, and when it is heard in which sound of the book. */
export interface Spoken {
  readonly index: number
  readonly fragment: string | undefined
  readonly sound: string
  /** Seconds. */
  readonly begin: number
  /** Undefined: as long as the sound is. */
  readonly end: number | undefined
}

interface GuidedNavigation {
  readonly guided?: readonly { readonly textref?: unknown; readonly audioref?: unknown }[]
}

/** It lists what is read aloud of a chapter. `from` is the chapter's address, as the manifest writes it. */
export const spokenIn = ({ sections }: BookMap, from: string, navigation: GuidedNavigation): Spoken[] =>
  (navigation.guided ?? []).flatMap(({ textref, audioref }) => {
    const [text, audio] = [textref, audioref].map((reference) =>
      typeof reference === 'string' ? targetOf(from, reference) : undefined,
    )
    if (text?.kind !== 'inside' || audio?.kind !== 'inside') return []
    const index = sections.findIndex(({ href }) => href === text.href)
    const [begin = 0, end] = timesOf(audio.fragment ?? '')
    return index < 0 ? [] : [{ index, fragment: text.fragment, sound: audio.href, begin, end }]
  })

/** `t=1.5,3` of a media fragment. */
const timesOf = (fragment: string): number[] => {
  const [, begin, end] = /^t=(\d+(?:\.\d+)?)?(?:,(\d+(?:\.\d+)?))?$/.exec(fragment) ?? []
  return end === undefined ? [Number(begin ?? 0)] : [Number(begin ?? 0), Number(end)]
}
