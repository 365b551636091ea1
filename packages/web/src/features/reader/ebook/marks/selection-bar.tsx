import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Center, Row } from '../../../../ui/layout/layout.tsx'
import { type ColourName, colourNames, colours } from './use-marks.ts'
import { placeAt, sideOf } from '../engine/spots.ts'
import type { Selection } from './use-selection.ts'
import styles from './marks.module.css'

/** It offers actions on selected text, above or below it and never over it. */
export const SelectionBar = ({ selection }: { readonly selection: Selection }): ReactNode => {
  const { t } = useTranslation('ebook')
  const { spot } = selection
  if (spot === undefined) return null
  return (
    <Row
      gap={2}
      justify="center"
      wrap
      pad={2}
      className={styles.selection}
      data-side={sideOf(spot)}
      style={placeAt(spot)}
      role="toolbar"
      aria-label={t('selection.title')}
    >
      <Colours onChoose={selection.mark} />
      <Button variant="default" size="sm" onClick={selection.note}>
        {t('selection.note')}
      </Button>
      <Button variant="default" size="sm" onClick={selection.copy}>
        {t('selection.copy')}
      </Button>
    </Row>
  )
}

interface ColoursProps {
  readonly chosen?: string
  readonly onChoose: (colour: ColourName) => void
}

export const Colours = ({ chosen, onChoose }: ColoursProps): ReactNode => {
  const { t } = useTranslation('ebook')
  return (
    <Row gap={1} align="stretch">
      {colourNames.map((name) => (
        <Center
          as="button"
          key={name}
          type="button"
          className={styles.colour}
          aria-label={t(`colour.${name}`)}
          title={t(`colour.${name}`)}
          aria-pressed={chosen === undefined ? undefined : chosen === name}
          style={{ color: colours[name] }}
          // The text stays selected.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(name)}
        />
      ))}
    </Row>
  )
}
