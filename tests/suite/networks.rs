//! Networks and evaluations against their formulas, and network files.

use std::sync::Arc;

use kalah::board::{
    Board, Capture, MAX_HOUSES, MAX_SEEDS, Position, RowTables, Rules, Side, Sowings,
};
use kalah::search::{
    BLOCK_NEURONS, BlockParameters, CENTISEEDS, Evaluation, EvaluationNoise, GamePhases,
    MAX_BLOCKS, Network, NetworkError, NetworkFileError, NetworkParameters, PHASES, SEED_COUNTS,
};
use proptest::prelude::*;

const MAX_OUTPUT_BIAS: i32 = 150_000_000;

/// Bytes of the checksum of a file.
const CHECKSUM: usize = 4;

/// The expected output in hundredths of a seed for the mover's and the opponent's seeds.
type Expected = fn(&[u16], &[u16]) -> i32;

/// Networks with a simple expected output.
fn samples(rules: Rules) -> [(Network, Expected); 2] {
    let count = |i: usize| (i % SEED_COUNTS) as i16;
    let is_own = |i: usize| i < rules.houses() * SEED_COUNTS;
    // Half a seed for each of the mover's seeds, up to 15 a house, and minus as much for the
    // opponent's: one neuron for positive sums, one for negative ones.
    let difference = |i: usize| {
        let mut row = [0; BLOCK_NEURONS];
        row[0] = if is_own(i) { count(i) } else { -count(i) };
        row[1] = -row[0];
        row
    };
    let mut output = [0; BLOCK_NEURONS];
    (output[0], output[1]) = (100, -100);
    let rows = 2 * rules.houses() * SEED_COUNTS;
    let linear = BlockParameters {
        bias: [0; BLOCK_NEURONS],
        output: [output; PHASES],
        rows: (0..rows).map(difference).collect(),
    };
    let linear = NetworkParameters { blocks: vec![linear], output_bias: [0; PHASES], shift: 1 };
    // All numbers are as large as they may be, or nearly: nothing overflows.
    let greatest = BlockParameters {
        bias: [i16::MAX; BLOCK_NEURONS],
        output: [[(1_875 / MAX_BLOCKS) as i16; BLOCK_NEURONS]; PHASES],
        rows: vec![[i16::MAX; BLOCK_NEURONS]; rows],
    };
    let greatest = NetworkParameters {
        blocks: vec![greatest; MAX_BLOCKS],
        output_bias: [MAX_OUTPUT_BIAS; PHASES],
        shift: 0,
    };
    let half: Expected = |own, opponent| {
        let capped =
            |seeds: &[u16]| seeds.iter().map(|&seeds| i32::from(seeds.min(15))).sum::<i32>();
        50 * (capped(own) - capped(opponent))
    };
    let [linear, greatest] = [linear, greatest].map(|it| Network::new(rules, it).unwrap());
    [(linear, half), (greatest, |_, _| i32::MAX)]
}

/// The formula of `docs/formats/networks.md`, number by number and in its order.
fn plain_sum(blocks: &[BlockParameters], counts: &[u16], phase: usize) -> i32 {
    let houses = counts.len() / 2;
    let neuron = |block: &BlockParameters, i: usize| {
        let weight = |house: usize| {
            let count = usize::from(counts[house]).min(SEED_COUNTS - 1);
            block.rows[house * SEED_COUNTS + count][i]
        };
        let weights = (0..houses).flat_map(|house| [weight(house), weight(houses + house)]);
        weights.fold(block.bias[i], i16::saturating_add)
    };
    let weighted = |block: &BlockParameters| -> i32 {
        let neurons = (0..BLOCK_NEURONS).map(|i| neuron(block, i));
        let weights = block.output[phase].iter();
        neurons.zip(weights).map(|(it, &weight)| i32::from(it.max(0)) * i32::from(weight)).sum()
    };
    blocks.iter().map(weighted).sum()
}

fn random_blocks(count: usize, houses: usize, seed: u64) -> Vec<BlockParameters> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut row = |most: i16| [(); BLOCK_NEURONS].map(|()| rng.i16(-most..=most));
    let block = |_| BlockParameters {
        bias: row(30_000),
        output: [(); PHASES].map(|()| row(400)),
        // Large enough that sums reach the limits now and then.
        rows: (0..2 * houses * SEED_COUNTS).map(|_| row(10_000)).collect(),
    };
    (0..count).map(block).collect()
}

/// Checks what a network says of a position in rows of this width, if they hold it.
fn check_terms<R: RowTables>(
    evaluation: &Evaluation,
    blocks: &[BlockParameters],
    rules: Rules,
    counts: &[u16],
    phase: usize,
) -> Result<(), TestCaseError> {
    let houses = rules.houses();
    let Some(sowings) = Sowings::<R>::from_rules(rules) else { return Ok(()) };
    let Some(position) = Position::new(sowings, &counts[..houses], &counts[houses..]) else {
        return Ok(());
    };
    let whole = plain_sum(blocks, counts, phase);
    let terms = evaluation.terms(&position, houses);
    for (house, term) in terms.own.iter().chain(&terms.opponent).enumerate() {
        let mut counts = counts.to_vec();
        counts[house] = 0;
        prop_assert_eq!(*term, whole - plain_sum(blocks, &counts, phase));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn sums_are_those_of_the_formula(
        houses in 1..=MAX_HOUSES,
        all in prop::collection::vec(0_u16..20, 2 * MAX_HOUSES),
        few: bool,
        count in 1..=MAX_BLOCKS,
        seed: u64,
    ) {
        // Few seeds for the first phases.
        let counts: Vec<u16> =
            all[..2 * houses].iter().map(|&seeds| if few { seeds / 8 } else { seeds }).collect();
        let rules = Rules::new(houses, Capture::Standard)?;
        let blocks = random_blocks(count, houses, seed);
        let (output_bias, shift) = ([0; PHASES], 0);
        let parameters = NetworkParameters { blocks, output_bias, shift };
        let network = Network::new(rules, parameters.clone())?;
        prop_assert_eq!(network.parameters(), &parameters);
        let NetworkParameters { blocks, .. } = parameters;
        let evaluation = Evaluation::Learned(Arc::new(network));
        let phase = GamePhases::new(houses).phase(counts.iter().map(|&seeds| u32::from(seeds)).sum());
        let (own, opponent) = counts.split_at(houses);
        let board = Board::new(rules, [own, opponent], [0, 0], Side::South)?;
        if !board.is_over() {
            let centiseeds = (evaluation.margin(&board) * f64::from(CENTISEEDS)).round() as i32;
            prop_assert_eq!(centiseeds, plain_sum(&blocks, &counts, phase));
        }
        check_terms::<u64>(&evaluation, &blocks, rules, &counts, phase)?;
        check_terms::<u128>(&evaluation, &blocks, rules, &counts, phase)?;
    }
}

#[test]
fn a_phase_has_three_quarters_of_a_seed_per_house() {
    for houses in 1..=MAX_HOUSES {
        for seeds in 0..=MAX_SEEDS as usize {
            let per_house = seeds as f64 / (2 * houses) as f64;
            let expected = ((per_house / 0.75 + 1e-9) as usize).min(PHASES - 1);
            assert_eq!(GamePhases::new(houses).phase(seeds as u32), expected, "{houses} {seeds}");
        }
    }
}

#[test]
fn numbers_that_make_no_network_are_refused() {
    let rules = Rules::default();
    let (network, _) = &samples(rules)[1];
    let good = network.parameters();
    assert_eq!(Network::new(rules, good.clone()).as_ref(), Ok(network));
    let mut few = good.clone();
    few.blocks[1].rows.pop();
    let expected = NetworkError::Rows { expected: 192, found: 191 };
    assert_eq!(Network::new(rules, few), Err(expected));
    // The weights of a phase add up to 60,000, and to one more.
    let [mut full, mut heavy] = [good.clone(), good.clone()];
    full.blocks[2].output[PHASES - 1][0] = -564;
    assert!(Network::new(rules, full).is_ok());
    heavy.blocks[2].output[PHASES - 1][0] = -565;
    let mut biased = good.clone();
    biased.output_bias[1] = i32::MIN;
    let shifted = NetworkParameters { shift: 25, ..good.clone() };
    for large in [heavy, biased, shifted] {
        assert_eq!(Network::new(rules, large), Err(NetworkError::TooLarge));
    }
    for count in [0, MAX_BLOCKS + 1] {
        let blocks = vec![good.blocks[0].clone(); count];
        let parameters = NetworkParameters { blocks, ..good.clone() };
        assert_eq!(Network::new(rules, parameters), Err(NetworkError::Blocks(count)));
    }
}

#[test]
fn what_is_written_is_read() {
    for houses in 1..=MAX_HOUSES {
        for capture in Capture::ALL {
            for (network, _) in samples(Rules::new(houses, capture).unwrap()) {
                let bytes = network.to_bytes();
                let rows = network.parameters().blocks.len() * (9 + 2 * houses * SEED_COUNTS);
                assert_eq!(bytes.len(), 16 + 32 + 2 * BLOCK_NEURONS * rows + CHECKSUM);
                assert_eq!(Network::from_bytes(&bytes).unwrap(), network);
            }
        }
    }
}

#[test]
fn what_is_damaged_is_refused() {
    let (network, _) = &samples(Rules::default())[0];
    let good = network.to_bytes();
    for place in 0..good.len() {
        let mut bytes = good.clone();
        bytes[place] ^= 1 << (place % 8);
        assert!(Network::from_bytes(&bytes).is_err(), "byte {place}");
        assert!(Network::from_bytes(&good[..place]).is_err(), "{place} bytes");
    }
    assert!(Network::from_bytes(&[good, vec![0]].concat()).is_err());
}

#[test]
fn other_files_are_named() {
    let (network, _) = &samples(Rules::default())[0];
    let sealed = |change: &dyn Fn(&mut [u8])| {
        let mut bytes = network.to_bytes();
        change(&mut bytes);
        bytes.truncate(bytes.len() - CHECKSUM);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        Network::from_bytes(&bytes).unwrap_err().to_string()
    };
    assert_eq!(sealed(&|bytes| bytes[1] = 0), "not a network file");
    assert!(sealed(&|bytes| bytes[8] = 2).starts_with("format version 2"));
    assert_eq!(sealed(&|bytes| bytes[10] = 13), "is damaged");
    assert_eq!(sealed(&|bytes| bytes[10] = 5), "is damaged");
    assert_eq!(
        sealed(&|bytes| bytes[11] = 3),
        "rule set 3 is unknown, only 0 (standard), 1 (empty), 2 (relay) are supported"
    );
    for place in [12, 13, 15] {
        let size = sealed(&|bytes| bytes[place] -= 1);
        assert!(size.starts_with("has another size"), "{size}");
    }
    assert!(sealed(&|bytes| bytes[13] = 160).starts_with("has another size: 160 neurons"));
    assert_eq!(sealed(&|bytes| bytes[13] = 64), "is damaged");
    assert_eq!(sealed(&|bytes| bytes[14] = 99), "weights too large");
}

#[test]
fn built_in_networks_can_be_read() -> Result<(), NetworkFileError> {
    for houses in 1..=MAX_HOUSES {
        for capture in Capture::ALL {
            let rules = Rules::new(houses, capture).unwrap();
            let network = Network::built_in(rules);
            assert_eq!(network.is_some(), houses >= 4);
            if let Some(network) = network {
                assert_eq!(network.rules(), rules);
                assert_eq!(Network::from_bytes(&network.to_bytes())?, *network);
            }
        }
    }
    Ok(())
}

#[test]
fn houses_beyond_the_largest_board_do_not_count() {
    let rules = Rules::new(MAX_HOUSES, Capture::Standard).unwrap();
    let sowings = Sowings::<u128>::from_rules(rules).unwrap();
    let position = Position::new(sowings, &[3; MAX_HOUSES], &[2; MAX_HOUSES]).unwrap();
    let seeds = (position.own_seeds() + position.opponent_seeds()) as i32;
    let [(network, _), _] = samples(rules);
    for evaluation in [Evaluation::default(), Evaluation::Learned(Arc::new(network))] {
        let of = |houses| {
            (evaluation.gain(&position, houses, seeds), evaluation.terms(&position, houses))
        };
        for houses in [MAX_HOUSES + 1, 17, 100] {
            assert_eq!(of(houses), of(MAX_HOUSES));
        }
    }
}

fn check_estimate<R: RowTables>(houses: &[(u16, u16)]) -> Result<(), TestCaseError> {
    let (own, opponent): (Vec<u16>, Vec<u16>) = houses.iter().copied().unzip();
    let rules = Rules::new(houses.len(), Capture::Standard)?;
    let Some(sowings) = Sowings::<R>::from_rules(rules) else { return Ok(()) };
    let Some(position) = Position::new(sowings, &own, &opponent) else { return Ok(()) };
    let seeds = (position.own_seeds() + position.opponent_seeds()) as i32;
    let range = CENTISEEDS * seeds;

    let evaluation = Evaluation::default();
    let gain = evaluation.gain(&position, houses.len(), seeds);
    prop_assert!(gain.abs() <= seeds && (gain - seeds) % 2 == 0);
    let terms = evaluation.terms(&position, houses.len());
    let houses_sum = terms.own.iter().chain(&terms.opponent).sum::<i32>();
    let sum = terms.tempo.unwrap_or_default() + houses_sum;
    prop_assert!((gain * CENTISEEDS - sum.clamp(-range, range)).abs() <= CENTISEEDS);

    let material = Evaluation::material().gain(&position, houses.len(), seeds);
    prop_assert_eq!(material, seeds & 1);

    for (network, gain) in samples(rules) {
        let evaluation = Evaluation::Learned(Arc::new(network));
        let terms = evaluation.terms(&position, houses.len());
        prop_assert_eq!((terms.own.len(), terms.opponent.len()), (own.len(), own.len()));
        let found = evaluation.gain(&position, houses.len(), seeds);
        prop_assert!(found.abs() <= seeds && (found - seeds) % 2 == 0);
        let expected = gain(&own, &opponent).clamp(-range, range);
        prop_assert!((found * CENTISEEDS - expected).abs() <= CENTISEEDS);
    }
    for other in [1, MAX_HOUSES] {
        let [(network, _), _] = samples(Rules::new(other, Capture::Empty)?);
        let evaluation = Evaluation::Learned(Arc::new(network));
        prop_assert!(evaluation.gain(&position, houses.len(), seeds).abs() <= seeds);
    }
    Ok(())
}

proptest! {
    #[test]
    fn an_estimate_is_the_sum_of_its_terms_rounded_to_a_possible_gain(
        houses in prop::collection::vec((0..=40_u16, 0..=40_u16), 1..=MAX_HOUSES),
    ) {
        check_estimate::<u64>(&houses)?;
        check_estimate::<u128>(&houses)?;
    }
}

#[test]
fn errors_have_mean_zero_and_the_requested_deviation() {
    let rules = Rules::new(4, Capture::Standard).unwrap();
    // Ten seed counts of four houses make 10,000 positions.
    let digits = |number: u16| [1, 10, 100, 1000].map(|place| number / place % 10);
    let boards: Vec<Board> = (0..10_000)
        .map(|number| Board::new(rules, [&digits(number), &[1; 4]], [0, 0], Side::South).unwrap())
        .filter(|board| !board.is_over())
        .collect();
    for centiseeds in [0, 100, 700] {
        for random_seed in [0, 1, u64::MAX] {
            let noise = EvaluationNoise { centiseeds, random_seed };
            let evaluation = Evaluation::Noisy(Box::new(Evaluation::material()), noise);
            let error = |board| evaluation.margin(board) * f64::from(CENTISEEDS);
            let errors: Vec<f64> = boards.iter().map(error).collect();
            let count = errors.len() as f64;
            let mean = errors.iter().sum::<f64>() / count;
            let squares = errors.iter().map(|error| error.powi(2)).sum::<f64>();
            let expected = f64::from(centiseeds);
            assert!(mean.abs() <= 0.05 * expected, "{mean}");
            assert!(((squares / count).sqrt() - expected).abs() <= 0.03 * expected);
        }
    }
}
