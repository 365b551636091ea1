import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Place } from '../../../reader/ebook/ebook-locator.ts'
import { toast } from '../../../ui/toasts.tsx'
import { cfiOf, quoteOf } from './places-in-chapter.ts'
import type { EbookPlace } from './use-ebook-place.ts'
import type { ColourName, Marks } from './use-marks.ts'

/** Text that is selected, and what is done with it. */
export const useSelection = (place: EbookPlace, marks: Marks) => {
  const { t } = useTranslation('ebook')
  const [range, setRange] = useState<Range>()
  /** The one whose window is open, by its id. */
  const [openId, setOpenId] = useState<string>()
  const letGo = (): void => {
    range?.startContainer.ownerDocument?.getSelection()?.removeAllRanges()
    setRange(undefined)
  }
  const mark = async (colour: ColourName): Promise<string | undefined> => {
    if (!range || !place.sight) return undefined
    const { index, from } = place.sight
    const marked: Place = { index, fraction: from, cfi: cfiOf(range), quote: quoteOf(range) }
    letGo()
    return (await marks.mark(marked, colour, place.title))?.id
  }
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(range?.toString() ?? '')
    letGo()
    toast({ text: t('selection.copied') })
  }
  return {
    isSelected: range !== undefined,
    select: setRange,
    mark: (colour: ColourName): void => void mark(colour),
    note: (): void => void mark('yellow').then(setOpenId),
    copy: (): void => void copy().catch(() => undefined),
    opened: marks.highlights.find(({ id }) => id === openId),
    open: setOpenId,
    close: (): void => setOpenId(undefined),
  }
}

export type Selection = ReturnType<typeof useSelection>
