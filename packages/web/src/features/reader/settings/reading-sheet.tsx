import type { BookDetail } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { asDrawn, type PageLayout, type PictureSetting, usual } from '../../../reader/page-layout.ts'
import type { KeyBindings } from '../controls/key-bindings.ts'
import { Folded, Part, Quiet, Segments, Slider, Swatches, SwitchRow } from '../sheet/fields.tsx'
import { Sheet } from '../sheet/sheet.tsx'
import { backgrounds, tapZoneChoices } from './choices.ts'
import { swatchOf } from './grounds.ts'
import { KeyRows } from './key-rows.tsx'
import { ScopePart } from './scope-part.tsx'
import { type Scope, useScope } from './scopes.ts'
import type { ReaderSettingsInUse } from './use-reader-settings.ts'

export interface ReadingSheetProps {
  readonly onClose: () => void
  readonly book: BookDetail
  readonly settings: ReaderSettingsInUse
  readonly layout: PageLayout
  readonly bindings?: KeyBindings
  /** Pages are laid out by the book: there is less to say about them. */
  readonly isLaidOut?: boolean
}

interface PartsProps extends ReadingSheetProps {
  readonly choose: Scope['choose']
}

/** How one reads, beside the pages: each choice is seen there at once. Only what makes a difference now is offered. */
export const ReadingSheet = (props: ReadingSheetProps): ReactNode => {
  const { onClose, book, settings, layout, isLaidOut = false } = props
  const { t } = useTranslation('reader')
  const scope = useScope(settings, 'device')
  const parts = { ...props, choose: scope.choose }
  return (
    <Sheet title={t('settings.title')} onClose={onClose}>
      <ScopePart book={book} settings={settings} scope={scope} />
      <PagesPart {...parts} />
      {isLaidOut || layout.direction === 'webtoon' ? null : <FitPart {...parts} />}
      <GroundPart {...parts} />
      {isLaidOut ? null : <PicturePart {...parts} />}
      <TurningPart {...parts} />
    </Sheet>
  )
}

const PagesPart = ({ book, settings, layout, isLaidOut, choose }: PartsProps): ReactNode => {
  const { t } = useTranslation('reader')
  const { spreads, direction } = { ...usual, ...settings.effective }
  const isStrip = layout.direction === 'webtoon'
  const spread = (value: 'auto' | 'single' | 'double' | 'strip'): void => {
    if (value === 'strip') return choose({ direction: 'webtoon' })
    choose({ spreads: value })
    // A book that says of itself that it is a strip is read page by page only when somebody says which way.
    if (isStrip) choose({ direction: book.readingDirection === 'webtoon' ? 'ltr' : 'auto' })
    return undefined
  }
  const offered = [
    { value: 'auto', label: t('spreads.auto'), drawing: 'auto' },
    { value: 'single', label: t('spreads.single'), drawing: 'one' },
    { value: 'double', label: t('spreads.double'), drawing: 'two' },
    ...(isLaidOut === true ? [] : [{ value: 'strip', label: t('spreads.strip'), drawing: 'strip' } as const]),
  ] as const
  return (
    <Part title={t('settings.spreads')}>
      <Segments label={t('settings.spreads')} value={isStrip ? 'strip' : spreads} onChoose={spread} choices={offered} />
      {isLaidOut === true || isStrip ? null : (
        <Segments
          label={t('settings.direction')}
          value={direction === 'webtoon' ? undefined : direction}
          onChoose={(value) => choose({ direction: value })}
          choices={[
            { value: 'auto', label: t('direction.auto'), drawing: 'book' },
            { value: 'ltr', label: t('direction.ltr'), drawing: 'ltr' },
            { value: 'rtl', label: t('direction.rtl'), drawing: 'rtl' },
            { value: 'ttb', label: t('direction.ttb'), drawing: 'ttb' },
          ]}
        />
      )}
      <PagesRows book={book} layout={layout} isLaidOut={isLaidOut ?? false} choose={choose} />
    </Part>
  )
}

type RowsProps = Pick<PartsProps, 'book' | 'layout' | 'choose'> & { readonly isLaidOut: boolean }

const PagesRows = ({ layout, isLaidOut, choose }: RowsProps): ReactNode => {
  const { t } = useTranslation('reader')
  const isStrip = layout.direction === 'webtoon'
  return (
    <>
      {layout.isDouble && !isLaidOut ? (
        <SwitchRow
          label={t('settings.coverAlone')}
          isOn={layout.coverAlone}
          onSwitch={(coverAlone) => choose({ coverAlone })}
        />
      ) : null}
      {isStrip || (layout.isDouble && !isLaidOut) ? (
        <Slider
          label={t('settings.gap')}
          range={[0, 100]}
          value={layout.gap}
          text={t('settings.pixels', { count: layout.gap })}
          onChange={(gap) => choose({ gap })}
        />
      ) : null}
      {isStrip ? (
        <Slider
          label={t('settings.sidePadding')}
          range={[0, 45]}
          value={layout.sidePadding}
          text={t('settings.percent', { count: layout.sidePadding })}
          onChange={(sidePadding) => choose({ sidePadding })}
        />
      ) : null}
    </>
  )
}

const FitPart = ({ layout, choose }: PartsProps): ReactNode => {
  const { t } = useTranslation('reader')
  const isWhole = layout.fit === 'smart' || layout.fit === 'screen'
  return (
    <Part title={t('settings.fit')}>
      <Segments
        label={t('settings.fit')}
        value={isWhole ? 'smart' : layout.fit}
        onChoose={(fit) => choose({ fit })}
        choices={[
          { value: 'smart', label: t('fit.smart'), drawing: 'page' },
          { value: 'width', label: t('fit.width'), drawing: 'width' },
          { value: 'height', label: t('fit.height'), drawing: 'height' },
          { value: 'original', label: t('fit.original'), drawing: 'original' },
        ]}
      />
      {isWhole ? (
        <SwitchRow
          label={t('settings.enlarge')}
          isOn={layout.fit === 'smart'}
          onSwitch={(isOn) => choose({ fit: isOn ? 'smart' : 'screen' })}
        />
      ) : null}
      <Segments
        label={t('settings.widePages')}
        value={layout.widePages}
        onChoose={(widePages) => choose({ widePages })}
        choices={[
          { value: 'whole', label: t('widePages.whole'), drawing: 'whole' },
          { value: 'split', label: t('widePages.split'), drawing: 'split' },
          { value: 'turn', label: t('widePages.turn'), drawing: 'turn' },
        ]}
      />
    </Part>
  )
}

const GroundPart = ({ book, settings, layout, choose }: PartsProps): ReactNode => {
  const { t } = useTranslation('reader')
  return (
    <Part title={t('settings.background')}>
      <Swatches
        label={t('settings.background')}
        // Until somebody chooses, a PDF lies on a ground of its own: see groundOf.
        value={book.fileFormat === 'pdf' ? settings.effective.background : layout.background}
        onChoose={(background) => choose({ background })}
        choices={backgrounds.map((value) => ({ value, label: t(`background.${value}`) }))}
        styleOf={swatchOf}
      />
    </Part>
  )
}

const shades = { brightness: [50, 150], contrast: [50, 150], warmth: [0, 100] } as const

const PicturePart = ({ layout, choose }: PartsProps): ReactNode => {
  const { t } = useTranslation('reader')
  const isDrawn = (Object.keys(asDrawn) as PictureSetting[]).every((name) => layout[name] === asDrawn[name])
  return (
    <Part
      title={t('settings.picture')}
      aside={isDrawn ? null : <Quiet label={t('settings.asDrawn')} onClick={() => choose(asDrawn)} />}
    >
      {(['brightness', 'contrast', 'warmth'] as const).map((name) => (
        <Slider
          key={name}
          label={t(`picture.${name}`)}
          range={shades[name]}
          value={layout[name]}
          text={t('settings.percent', { count: layout[name] })}
          onChange={(value) => choose({ [name]: value })}
        />
      ))}
      <SwitchRow label={t('picture.invert')} isOn={layout.invert} onSwitch={(invert) => choose({ invert })} />
      <SwitchRow label={t('picture.grey')} isOn={layout.grey} onSwitch={(grey) => choose({ grey })} />
    </Part>
  )
}

/** What turns the page: taps and keys. */
const TurningPart = ({ layout, choose, bindings }: PartsProps): ReactNode => {
  const { t } = useTranslation('reader')
  return (
    <>
      {layout.direction === 'webtoon' ? null : (
        <Folded title={t('settings.tapZones')}>
          <Segments
            label={t('settings.tapZones')}
            value={layout.tapZones}
            onChoose={(tapZones) => choose({ tapZones })}
            choices={tapZoneChoices.map((value) => ({ value, label: t(`tapZones.${value}`), drawing: value }))}
          />
        </Folded>
      )}
      {bindings === undefined ? null : (
        <Folded title={t('settings.keys')}>
          <KeyRows bindings={bindings} />
        </Folded>
      )}
    </>
  )
}
