import type { ReaderSettings } from '@carrel/api'
import type { Direction } from '../../../reader/page-layout.ts'

type Choices<Name extends keyof ReaderSettings> = readonly Required<ReaderSettings>[Name][]

/** The words there are to choose from, in the order they are offered. */
export const directions: readonly Direction[] = ['ltr', 'rtl', 'ttb', 'webtoon']
export const fits: Choices<'fit'> = ['smart', 'screen', 'width', 'height', 'original']
export const backgrounds: Choices<'background'> = ['black', 'dark', 'grey', 'paper', 'white', 'page', 'theme']
export const tapZoneChoices: Choices<'tapZones'> = ['sides', 'one-hand', 'off']
