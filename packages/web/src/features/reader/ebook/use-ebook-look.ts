import type { ReaderSettings } from '@carrel/api'
import { useComputedColorScheme } from '@mantine/core'
import {
  type Colours,
  coloursOf,
  type EbookLook,
  ebookLookOf,
  styleSheetsOf,
} from '../../../reader/ebook/ebook-look.ts'
import { useLook } from '../../../ui/look.ts'
import { addressOfFont, useOwnFonts } from './own-fonts.tsx'

/** How the text is shown: what was decided, its colours, and the style sheets that say it to the engine. */
export interface EbookDress {
  readonly look: EbookLook
  readonly colours: Colours
  readonly sheets: readonly [string, string]
}

export const useEbookLook = (said: ReaderSettings): EbookDress => {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const app = useLook() === 'oled' ? 'oled' : scheme
  const look = ebookLookOf(said)
  const colours = coloursOf(look, app)
  const own = useOwnFonts().find(({ id }) => look.textFont === `own:${id}`)
  const font = own && { address: addressOfFont(own.id) }
  return { look, colours, sheets: styleSheetsOf(look, colours, font) }
}
