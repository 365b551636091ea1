import { type ReaderLevel, readerLevels, type ReaderSettings } from '@carrel/api'
import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type TextAppearance, usualEbook } from '../../../../reader/ebook/text-appearance.ts'
import { Columns, Row, Stack } from '../../../../ui/layout/layout.tsx'
import dialogStyles from '../../settings/settings-dialog.module.css'
import type { ReaderSettingsInUse } from '../../settings/use-reader-settings.ts'
import { OwnFonts, useOwnFonts } from './own-fonts.tsx'
import styles from './ebook-fields.module.css'

interface FieldsProps {
  readonly level: ReaderLevel
  readonly settings: ReaderSettingsInUse
  readonly appearance: TextAppearance
}

/** It holds all settings for how text is shown. */
export const EbookFields = (props: FieldsProps): ReactNode => {
  const { settings, appearance } = props
  const { t } = useTranslation('ebook')
  const percent = (value: number): string => t('settings.percent', { percent: value })
  return (
    <>
      <Choice {...props} name="textTheme" words={themes} textOf={(word) => t(`textTheme.${word}`)} />
      {appearance.textTheme === 'own' ? (
        <Columns gap={4} className={styles.pair}>
          <Colour {...props} name="textColour" />
          <Colour {...props} name="pageColour" />
        </Columns>
      ) : null}
      <FontChoice {...props} />
      <Amount {...props} name="textSize" range={[50, 300, 5]} text={percent(appearance.textSize)} />
      <Amount
        {...props}
        name="lineHeight"
        range={[100, 250, 5]}
        text={appearance.lineHeight === undefined ? t('settings.asPublished') : percent(appearance.lineHeight)}
      />
      <Amount {...props} name="textMargin" range={[0, 25, 1]} text={percent(appearance.textMargin)} />
      <Choice {...props} name="textAlign" words={aligns} textOf={(word) => t(`textAlign.${word}`)} />
      <Choice {...props} name="hyphens" words={hyphens} textOf={(word) => t(`hyphens.${word}`)} />
      <Choice {...props} name="textFlow" words={flows} textOf={(word) => t(`textFlow.${word}`)} />
      {appearance.textFlow === 'paged' ? (
        <>
          <Choice {...props} name="columns" words={columns} textOf={(word) => t(`columns.${word}`)} />
          <Choice {...props} name="tapZones" words={tapZones} textOf={(word) => t(`tapZones.${word}`)} />
        </>
      ) : null}
      {settings.effective.lineHeight === undefined ? null : (
        <button type="button" className={styles.quiet} onClick={() => settings.save(props.level, { lineHeight: null })}>
          {t('settings.publishersLines')}
        </button>
      )}
    </>
  )
}

const FontChoice = (props: FieldsProps): ReactNode => {
  const { settings, level, appearance } = props
  const { t } = useTranslation('ebook')
  const own = useOwnFonts()
  const data = [
    ...fonts.map((word) => ({ value: word as string, label: t(`textFont.${word}`) })),
    ...own.map(({ id, name }) => ({ value: `own:${id}`, label: name })),
  ]
  const choose = (textFont: string): void => settings.save(level, { textFont })
  return (
    <>
      <NativeSelect
        label={t('settings.textFont')}
        description={useNote({ ...props, name: 'textFont' })}
        // A font that is gone is shown as the book's own.
        value={data.some(({ value }) => value === appearance.textFont) ? appearance.textFont : 'publisher'}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        data={data}
      />
      <OwnFonts chosen={own.find(({ id }) => appearance.textFont === `own:${id}`)} onChoose={choose} />
    </>
  )
}

const themes = ['app', 'light', 'dark', 'oled', 'sepia', 'own'] as const
const fonts = ['publisher', 'serif', 'sans', 'clear'] as const
const aligns = ['publisher', 'justify', 'start'] as const
const hyphens = ['publisher', 'on', 'off'] as const
const flows = ['paged', 'scrolled'] as const
const columns = ['auto', 'one', 'two'] as const
const tapZones = ['sides', 'one-hand', 'off'] as const

type WordSetting = 'textTheme' | 'textAlign' | 'hyphens' | 'textFlow' | 'columns' | 'tapZones'

interface ChoiceProps<Name extends WordSetting, Word extends string> extends FieldsProps {
  readonly name: Name
  readonly words: readonly (Word & Required<ReaderSettings>[Name])[]
  readonly textOf: (word: Word) => string
}

const Choice = <Name extends WordSetting, Word extends string>(props: ChoiceProps<Name, Word>): ReactNode => {
  const { name, words, textOf, settings, level } = props
  const { t } = useTranslation('ebook')
  const label: WordSetting = name
  return (
    <NativeSelect
      label={t(`settings.${label}`)}
      description={useNote(props)}
      value={settings.effective[name] ?? usualEbook[name]}
      onChange={({ currentTarget }) => {
        const chosen = words.find((word) => word === currentTarget.value)
        if (chosen !== undefined) settings.save(level, { [name]: chosen })
      }}
      data={words.map((word) => ({ value: word, label: textOf(word) }))}
    />
  )
}

/** The note says from which level a value comes, when that is not the one being changed. */
const useNote = ({ name, settings, level }: FieldsProps & { readonly name: keyof ReaderSettings }) => {
  const { t } = useTranslation('reader')
  const decider = settings.levels.toReversed().find(({ values }) => values[name] !== undefined)?.level
  if (decider === undefined || decider === level) return undefined
  const isStronger = readerLevels.indexOf(decider) > readerLevels.indexOf(level)
  const decided = t(`settings.level.${decider}`)
  return isStronger ? t('settings.overruled', { level: decided }) : t('settings.inherited', { level: decided })
}

interface AmountProps extends FieldsProps {
  readonly name: 'textSize' | 'lineHeight' | 'textMargin'
  readonly range: readonly [min: number, max: number, step: number]
  readonly text: string
}

const Amount = ({ name, range: [min, max, step], text, settings, level, appearance }: AmountProps): ReactNode => {
  const { t } = useTranslation('ebook')
  const label = t(`settings.${name}`)
  return (
    <Stack as="label" gap={1} className={dialogStyles.amount}>
      <Row as="span" align="stretch" justify="between" className={dialogStyles.label}>
        {label} <span className={dialogStyles.value}>{text}</span>
      </Row>
      <input
        type="range"
        min={min}
        max={max}
        step={step}
        value={appearance[name] ?? usualEbook[name]}
        aria-label={label}
        aria-valuetext={text}
        onChange={({ currentTarget }) => settings.save(level, { [name]: Number(currentTarget.value) })}
      />
    </Stack>
  )
}

interface ColourProps extends FieldsProps {
  readonly name: 'textColour' | 'pageColour'
}

const Colour = ({ name, settings, level, appearance }: ColourProps): ReactNode => {
  const { t } = useTranslation('ebook')
  return (
    <Stack as="label" gap={1} className={styles.colour}>
      <span>{t(`settings.${name}`)}</span>
      <input
        type="color"
        value={appearance[name]}
        onChange={({ currentTarget }) => settings.save(level, { [name]: currentTarget.value.toLowerCase() })}
      />
    </Stack>
  )
}
