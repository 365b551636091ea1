import type { NumberWords } from '@carrel/api'
import type { Texts } from './texts.ts'

export const numberWordsIn = ({ say }: Texts): NumberWords => ({
  volume: (number) => say('volume', { number }),
  chapter: (number) => say('chapter', { number }),
})
