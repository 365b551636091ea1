import type { BookDetail, ReaderSettings } from '@carrel/api'
import { type CSSProperties, type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { coloursOf, families, type TextAppearance, usualEbook } from '../../../../reader/ebook/text-appearance.ts'
import { Columns, Row, Stack } from '../../../../ui/layout/layout.tsx'
import { ScopePart } from '../../settings/scope-part.tsx'
import { type Scope, useScope } from '../../settings/scopes.ts'
import type { ReaderSettingsInUse } from '../../settings/use-reader-settings.ts'
import { Folded, Part, Quiet, Segments, Slider, SwitchRow, Tiles } from '../../sheet/fields.tsx'
import { Sheet } from '../../sheet/sheet.tsx'
import { addressOfFont, OwnFonts, useOwnFonts } from './own-fonts.tsx'
import styles from './text-sheet.module.css'
import type { EbookAppearance } from './use-ebook-appearance.ts'

interface TextSheetProps {
  readonly onClose: () => void
  readonly book: BookDetail
  readonly settings: ReaderSettingsInUse
  readonly appearance: EbookAppearance
}

interface PartsProps {
  readonly settings: ReaderSettingsInUse
  readonly text: TextAppearance
  readonly choose: Scope['choose']
}

/** How text looks, on the same paper as the text: each choice is seen there at once. */
export const TextSheet = ({ onClose, book, settings, appearance }: TextSheetProps): ReactNode => {
  const { t } = useTranslation('ebook')
  const scope = useScope(settings, 'user')
  const parts = { settings, text: appearance.text, choose: scope.choose }
  return (
    <Sheet title={t('settings.title')} onClose={onClose}>
      <PaperPart {...parts} />
      <SizeRow {...parts} />
      <LettersPart {...parts} />
      <LinesPart {...parts} />
      <FlowPart {...parts} />
      <Folded title={t('settings.for')}>
        <div>
          <ScopePart book={book} settings={settings} scope={scope} everywhere={t('settings.everywhere')} />
        </div>
      </Folded>
    </Sheet>
  )
}

const papers = ['light', 'sepia', 'grey', 'dark', 'oled', 'app', 'own'] as const

const PaperPart = ({ text, choose }: PartsProps): ReactNode => {
  const { t } = useTranslation('ebook')
  const tileOf = (textTheme: (typeof papers)[number]): CSSProperties | undefined => {
    if (textTheme === 'app') return undefined
    const { page, text: ink } = coloursOf({ ...text, textTheme }, 'light')
    return { background: page, color: ink }
  }
  return (
    <Stack gap={2}>
      <Tiles
        label={t('settings.textTheme')}
        columns={4}
        value={text.textTheme}
        onChoose={(textTheme) => choose({ textTheme })}
        choices={papers.map((value) => ({ value, label: t(`textTheme.${value}`) }))}
        sampleOf={() => ({ text: 'Aa' })}
        tileStyleOf={tileOf}
      />
      {text.textTheme === 'own' ? (
        <Columns gap={4} className={styles.pair}>
          <Colour name="textColour" text={text} choose={choose} />
          <Colour name="pageColour" text={text} choose={choose} />
        </Columns>
      ) : null}
    </Stack>
  )
}

interface ColourProps extends Pick<PartsProps, 'text' | 'choose'> {
  readonly name: 'textColour' | 'pageColour'
}

const Colour = ({ name, text, choose }: ColourProps): ReactNode => {
  const { t } = useTranslation('ebook')
  return (
    <Stack as="label" gap={1} className={styles.colour}>
      <span>{t(`settings.${name}`)}</span>
      <input
        type="color"
        value={text[name]}
        onChange={({ currentTarget }) => choose({ [name]: currentTarget.value.toLowerCase() })}
      />
    </Stack>
  )
}

const sizes = { min: 50, max: 300, step: 6 }

const SizeRow = ({ text, choose }: PartsProps): ReactNode => {
  const { t } = useTranslation('ebook')
  const change = (by: number) => (): void =>
    choose({ textSize: Math.min(sizes.max, Math.max(sizes.min, text.textSize + by)) })
  return (
    <Row justify="between" role="group" aria-label={t('settings.textSize')} className={styles.size}>
      <button type="button" className={styles.smaller} aria-label={t('settings.smaller')} onClick={change(-sizes.step)}>
        A
      </button>
      <output>{t('settings.percent', { percent: text.textSize })}</output>
      <button type="button" className={styles.larger} aria-label={t('settings.larger')} onClick={change(sizes.step)}>
        A
      </button>
    </Row>
  )
}

const fonts = ['publisher', 'serif', 'sans', 'clear', 'mono'] as const

/** Fonts a person has brought are shown in themselves, too: the page of the reader has them while the sheet is open. */
const useFontFaces = (ids: readonly string[]): void => {
  const joined = ids.join(' ')
  useEffect(() => {
    const faces = joined
      .split(' ')
      .filter((id) => id !== '')
      .map((id) => new FontFace(`carrel-${id}`, `url("${addressOfFont(id)}")`))
    for (const face of faces) {
      document.fonts.add(face)
      face.load().catch(() => undefined)
    }
    return () => {
      for (const face of faces) document.fonts.delete(face)
    }
  }, [joined])
}

const LettersPart = ({ text, choose }: PartsProps): ReactNode => {
  const { t } = useTranslation('ebook')
  const own = useOwnFonts()
  useFontFaces(own.map(({ id }) => id))
  const choices = [
    ...fonts.map((value) => ({ value: value as string, label: t(`textFont.${value}`) })),
    ...own.map(({ id, name }) => ({ value: `own:${id}`, label: name })),
  ]
  const chooseFont = (textFont: string): void => choose({ textFont })
  const familyOf = (value: string): string =>
    value.startsWith('own:') ? `carrel-${value.slice(4)}` : (families[value] ?? 'var(--font-works)')
  return (
    <Part title={t('settings.textFont')}>
      <Tiles
        label={t('settings.textFont')}
        columns={3}
        // A font that is gone is shown as the book's own.
        value={choices.some(({ value }) => value === text.textFont) ? text.textFont : 'publisher'}
        onChoose={chooseFont}
        choices={choices}
        sampleOf={(value) => ({ text: 'Ag', style: { fontFamily: familyOf(value) } })}
      />
      <OwnFonts chosen={own.find(({ id }) => text.textFont === `own:${id}`)} onChoose={chooseFont} />
    </Part>
  )
}

const LinesPart = ({ settings, text, choose }: PartsProps): ReactNode => {
  const { t } = useTranslation('ebook')
  const lineHeight = text.lineHeight ?? usualEbook.lineHeight
  const isPublishers = text.lineHeight === undefined
  const free = (): void => {
    for (const { level, values } of settings.levels)
      if (values.lineHeight !== undefined) settings.save(level, { lineHeight: null })
  }
  return (
    <Part
      title={t('settings.lines')}
      aside={isPublishers ? null : <Quiet label={t('settings.publishersLines')} onClick={free} />}
    >
      <Slider
        label={t('settings.lineHeight')}
        range={[100, 250, 5]}
        value={lineHeight}
        text={isPublishers ? t('settings.asPublished') : String(lineHeight / 100)}
        onChange={(value) => choose({ lineHeight: value })}
      />
      <Slider
        label={t('settings.textMargin')}
        range={[0, 25]}
        value={text.textMargin}
        text={t('settings.percent', { percent: text.textMargin })}
        onChange={(textMargin) => choose({ textMargin })}
      />
    </Part>
  )
}

const aligns = ['publisher', 'justify', 'start'] as const
const columnCounts = ['auto', 'one', 'two'] as const
const tapZones = ['sides', 'one-hand', 'off'] as const

const FlowPart = (props: PartsProps): ReactNode => {
  const { text, choose } = props
  const { t } = useTranslation('ebook')
  return (
    <>
      <Part title={t('settings.textFlow')}>
        <Segments
          label={t('settings.textFlow')}
          value={text.textFlow}
          onChoose={(textFlow) => choose({ textFlow })}
          choices={[
            { value: 'paged', label: t('textFlow.paged'), drawing: 'two' },
            { value: 'scrolled', label: t('textFlow.scrolled'), drawing: 'strip' },
          ]}
        />
        {text.textFlow === 'paged' ? (
          <Segments
            label={t('settings.columns')}
            value={text.columns}
            onChoose={(columns) => choose({ columns })}
            choices={columnCounts.map((value) => ({ value, label: t(`columns.${value}`) }))}
          />
        ) : null}
      </Part>
      <Part title={t('settings.textAlign')}>
        <Segments
          label={t('settings.textAlign')}
          value={text.textAlign}
          onChoose={(textAlign) => choose({ textAlign })}
          choices={aligns.map((value) => ({ value, label: t(`textAlign.${value}`) }))}
        />
        <SwitchRow
          label={t('settings.hyphenate')}
          isOn={text.hyphens !== 'off'}
          onSwitch={(isOn) => choose({ hyphens: isOn ? 'on' : 'off' } satisfies ReaderSettings)}
        />
      </Part>
      {text.textFlow === 'paged' ? (
        <Folded title={t('settings.tapZones')}>
          <Segments
            label={t('settings.tapZones')}
            value={text.tapZones}
            onChoose={(zones) => choose({ tapZones: zones })}
            choices={tapZones.map((value) => ({ value, label: t(`tapZones.${value}`), drawing: value }))}
          />
        </Folded>
      ) : null}
    </>
  )
}
