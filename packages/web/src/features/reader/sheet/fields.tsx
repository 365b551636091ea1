import { type CSSProperties, type ReactNode, useId } from 'react'
import { Columns, Row, Stack, Text } from '../../../ui/layout/layout.tsx'
import { Drawing, type DrawingName } from './drawing.tsx'
import styles from './fields.module.css'

interface PartProps {
  readonly title: string
  /** It stands at the end of the line of the title. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** A part of the sheet, below its name. */
export const Part = ({ title, aside, children }: PartProps): ReactNode => {
  const id = useId()
  return (
    <section className={styles.part} aria-labelledby={id}>
      <Row gap={2} justify="between" className={styles.head}>
        <h3 id={id} className={styles.name}>
          {title}
        </h3>
        {aside}
      </Row>
      <Stack gap={2}>{children}</Stack>
    </section>
  )
}

/** What is rarely needed: it opens when somebody asks for it. */
export const Folded = ({ title, children }: Omit<PartProps, 'aside'>): ReactNode => (
  <details className={styles.folded}>
    <summary className={styles.name}>{title}</summary>
    <Stack gap={3} className={styles.inside}>
      {children}
    </Stack>
  </details>
)

interface Choice<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly drawing?: DrawingName
}

interface ChoicesProps<Value extends string> {
  readonly label: string
  readonly value: Value | undefined
  readonly choices: readonly Choice<Value>[]
  readonly onChoose: (value: Value) => void
}

/** A few words beside each other, of which one holds. */
export const Segments = <Value extends string>({ label, value, choices, onChoose }: ChoicesProps<Value>): ReactNode => {
  const name = useId()
  const isTall = choices.length > 2 && choices.some(({ drawing }) => drawing !== undefined)
  return (
    <Row align="stretch" role="radiogroup" aria-label={label} className={styles.segments} data-tall={isTall}>
      {choices.map((choice) => (
        <label key={choice.value} className={styles.segment}>
          <input
            type="radio"
            name={name}
            className={styles.input}
            checked={choice.value === value}
            onChange={() => onChoose(choice.value)}
          />
          <Row as="span" justify="center" className={styles.word}>
            {choice.drawing === undefined ? null : <Drawing name={choice.drawing} />}
            {choice.label}
          </Row>
        </label>
      ))}
    </Row>
  )
}

interface SwatchesProps<Value extends string> extends ChoicesProps<Value> {
  readonly styleOf: (value: Value) => CSSProperties
}

/** Colours to choose from; their names are read out and shown on the one that is pointed at. */
export const Swatches = <Value extends string>(props: SwatchesProps<Value>): ReactNode => {
  const { label, value, choices, onChoose, styleOf } = props
  const name = useId()
  return (
    <Row gap={2} wrap justify="between" role="radiogroup" aria-label={label}>
      {choices.map((choice) => (
        <label key={choice.value} className={styles.swatch} title={choice.label} style={styleOf(choice.value)}>
          <input
            type="radio"
            name={name}
            className={styles.input}
            aria-label={choice.label}
            checked={choice.value === value}
            onChange={() => onChoose(choice.value)}
          />
        </label>
      ))}
    </Row>
  )
}

interface TilesProps<Value extends string> extends ChoicesProps<Value> {
  /** What each looks like: a paper, or a font. */
  readonly sampleOf: (value: Value) => { readonly text: string; readonly style?: CSSProperties }
  readonly tileStyleOf?: (value: Value) => CSSProperties | undefined
  readonly columns: 3 | 4
}

/** Choices that show themselves. */
export const Tiles = <Value extends string>(props: TilesProps<Value>): ReactNode => {
  const { label, value, choices, onChoose, sampleOf, tileStyleOf, columns } = props
  const name = useId()
  return (
    <Columns gap={2} role="radiogroup" aria-label={label} className={styles.tiles} data-columns={columns}>
      {choices.map((choice) => (
        <label key={choice.value} className={styles.tile} style={tileStyleOf?.(choice.value)}>
          <input
            type="radio"
            name={name}
            className={styles.input}
            checked={choice.value === value}
            onChange={() => onChoose(choice.value)}
          />
          <span className={styles.sample} style={sampleOf(choice.value).style} aria-hidden="true">
            {sampleOf(choice.value).text}
          </span>
          <Text as="span" lines={1} className={styles.tileName}>
            {choice.label}
          </Text>
        </label>
      ))}
    </Columns>
  )
}

interface SwitchRowProps {
  readonly label: string
  readonly note?: string
  readonly isOn: boolean
  readonly onSwitch: (isOn: boolean) => void
}

export const SwitchRow = ({ label, note, isOn, onSwitch }: SwitchRowProps): ReactNode => (
  <Row as="label" gap={3} justify="between" className={styles.switch}>
    <span>
      {label}
      {note === undefined ? null : (
        <Text as="small" quiet size={12} className={styles.note}>
          {note}
        </Text>
      )}
    </span>
    <input
      type="checkbox"
      role="switch"
      className={styles.knob}
      checked={isOn}
      aria-checked={isOn}
      onChange={({ currentTarget }) => onSwitch(currentTarget.checked)}
    />
  </Row>
)

interface SliderProps {
  readonly label: string
  readonly value: number
  readonly range: readonly [min: number, max: number, step?: number]
  readonly text: string
  readonly onChange: (value: number) => void
}

export const Slider = ({ label, value, range: [min, max, step = 1], text, onChange }: SliderProps): ReactNode => (
  <label className={styles.slider}>
    <Row as="span" justify="between" gap={2}>
      {label}
      <span className={styles.amount}>{text}</span>
    </Row>
    <input
      type="range"
      className={styles.range}
      min={min}
      max={max}
      step={step}
      value={value}
      aria-label={label}
      aria-valuetext={text}
      style={{ '--at': `${((value - min) / (max - min)) * 100}%` } as CSSProperties}
      onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
    />
  </label>
)

/** A word that one presses: it weighs less than a button. */
export const Quiet = ({ label, onClick }: { readonly label: string; readonly onClick: () => void }): ReactNode => (
  <button type="button" className={styles.quiet} onClick={onClick}>
    {label}
  </button>
)
