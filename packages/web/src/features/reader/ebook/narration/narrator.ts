import type { BookMap } from '../../../../reader/ebook/book-map.ts'
import { type Spoken, spokenIn } from '../../../../reader/ebook/narration.ts'
import { addressOfFile, type BookFile, readFile } from '../engine/book-files.ts'
import type { Engine } from '../engine/engine.ts'

export type Narrating = 'off' | 'playing' | 'paused'

export interface Narrator {
  /** It starts with the chapter in view, or resumes where it was paused. */
  toggle(): void
  step(by: 1 | -1): void
  close(): void
}

interface NarratorOptions {
  readonly book: BookFile
  readonly map: BookMap
  readonly engine: () => Engine | undefined
  /** It returns the chapter in view. */
  readonly here: () => number
  readonly onChange: (narrating: Narrating) => void
  readonly onProblem: (error: unknown) => void
}

/** It holds the parts of one chapter, and which of them is being played. */
interface NarratedChapter {
  readonly chapter: number
  readonly parts: readonly Spoken[]
  readonly index: number
}

/** The book as somebody has read it aloud: its own sound, and what is heard is marked in the text. */
export const openNarrator = ({ here, onChange, onProblem, ...options }: NarratorOptions): Narrator => {
  let state: Narrating = 'off'
  const become = (next: Narrating): void => {
    if (state === next) return
    state = next
    onChange(next)
  }
  const stop = (): void => {
    walk.forget()
    become('off')
  }
  const failed = (error: unknown): void => {
    if (state === 'off') return
    stop()
    onProblem(error)
  }
  const sound = soundOf(options.book, {
    onHeard: () => {
      if (state === 'playing') walk.move(1, true).catch(failed)
    },
    onProblem: failed,
  })
  const walk = walkThrough({ ...options, sound, isPlaying: () => state === 'playing', onOver: stop })
  return {
    toggle: () => {
      if (state === 'playing') {
        sound.hold()
        become('paused')
        return
      }
      become('playing')
      const goingOn = walk.isBegun() ? sound.play() : walk.begin(here())
      goingOn.catch(failed)
    },
    step: (by) => void walk.move(by, false).catch(failed),
    close: () => {
      stop()
      sound.close()
    },
  }
}

interface Walk extends Pick<NarratorOptions, 'book' | 'map' | 'engine'> {
  readonly sound: Sound
  readonly isPlaying: () => boolean
  /** There is nothing more to hear. */
  readonly onOver: () => void
}

/** It plays one part after the other. A result that arrives after a newer action is ignored. */
const walkThrough = ({ sound, isPlaying, onOver, ...options }: Walk) => {
  const marker = markerFor(options)
  let current: NarratedChapter | undefined
  let turn = 0
  /** `isNear`: it may follow without a break. */
  const hear = async (next: NarratedChapter, isNear: boolean): Promise<void> => {
    const own = (turn += 1)
    current = next
    const part = next.parts[next.index]
    if (!part) return
    sound.set(part, isNear)
    await marker.show(part, () => own === turn)
    if (own === turn && isPlaying()) await sound.play()
  }
  const hearFrom = async (chapter: number, by: 1 | -1): Promise<void> => {
    const own = (turn += 1)
    sound.hold()
    const next = await chapterFrom(options, chapter, by)
    if (own !== turn) return
    if (next) await hear(next, false)
    else if (by === 1) onOver()
    else if (isPlaying()) await sound.play()
  }
  return {
    isBegun: (): boolean => current !== undefined,
    begin: (chapter: number): Promise<void> => hearFrom(chapter, 1),
    move: async (by: 1 | -1, isNear: boolean): Promise<void> => {
      if (!current) return
      if (current.parts[current.index + by]) await hear({ ...current, index: current.index + by }, isNear)
      else await hearFrom(current.chapter + by, by)
    },
    forget: (): void => {
      turn += 1
      current = undefined
      sound.hold()
      marker.clear()
    },
  }
}

/** The nearest chapter from there on of which anything is read, at its first part, or its last. */
const chapterFrom = async (
  { book, map }: Pick<NarratorOptions, 'book' | 'map'>,
  from: number,
  by: 1 | -1,
): Promise<NarratedChapter | undefined> => {
  for (let chapter = from; map.sections[chapter]; chapter += by) {
    const narration = map.sections[chapter]?.narration
    if (narration === undefined) continue
    const parts = spokenIn(map, narration, JSON.parse(await readFile(book, narration)) as object)
    if (parts.length > 0) return { chapter, parts, index: by === 1 ? 0 : parts.length - 1 }
  }
  return undefined
}

/** A part counts as heard when it is this near to its end: players report the time only a few times a second. */
const nearSeconds = 0.05
/** A part that starts this near to the present time starts without a break. */
const breakSeconds = 0.5

const soundOf = (
  book: BookFile,
  { onHeard, onProblem }: { readonly onHeard: () => void; readonly onProblem: (error: unknown) => void },
) => {
  const audio = new Audio()
  let heard: Spoken | undefined
  audio.addEventListener('timeupdate', () => {
    if (!audio.paused && heard?.end !== undefined && audio.currentTime >= heard.end - nearSeconds) onHeard()
  })
  audio.addEventListener('ended', onHeard)
  audio.addEventListener('error', () => onProblem(audio.error))
  return {
    set: (part: Spoken, isNear: boolean): void => {
      if (heard?.sound !== part.sound) audio.src = addressOfFile(book, part.sound)
      else if (isNear && Math.abs(audio.currentTime - part.begin) < breakSeconds) {
        heard = part
        return
      }
      heard = part
      audio.currentTime = part.begin
    },
    play: (): Promise<void> => audio.play(),
    hold: (): void => audio.pause(),
    close: (): void => audio.removeAttribute('src'),
  }
}

type Sound = ReturnType<typeof soundOf>

/** The class is ours: it is for books without a style of their own, and for the reader's colours. */
const ownClass = 'carrel-spoken'

const markerFor = ({ map, engine }: Pick<NarratorOptions, 'map' | 'engine'>) => {
  const names = [ownClass, ...(map.spokenClass === undefined ? [] : [map.spokenClass])]
  let marked: Element | undefined
  const clear = (): void => {
    marked?.classList.remove(...names)
    marked = undefined
  }
  return {
    clear,
    /** It brings it into view and marks it. */
    show: async ({ index, fragment }: Spoken, isCurrent: () => boolean): Promise<void> => {
      clear()
      await engine()?.goTo({ index, fragment })
      const element = fragment === undefined ? undefined : engine()?.documentOf(index)?.getElementById(fragment)
      if (!element || !isCurrent()) return
      marked = element
      element.classList.add(...names)
    },
  }
}
