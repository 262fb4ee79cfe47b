//! The parameters of the selective search, as numbers that can be tuned.

/// A parameter of the selective search: an option of the protocol.
#[derive(Clone, Copy, Debug)]
pub struct SelectiveParameter {
    /// Its name in the protocol.
    pub name: &'static str,
    /// The value that the engine plays with.
    pub default: i32,
    /// The least and the greatest value.
    pub range: (i32, i32),
    /// Sets it.
    pub set: fn(&mut SelectiveParameters, i32),
}

macro_rules! selective_parameters {
    ($($(#[$doc:meta])* $field:ident: $name:literal = $default:literal in $min:literal..=$max:literal,)*) => {
        /// The parameters of the selective search. Each is an option of the protocol, for tuning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct SelectiveParameters {
            $($(#[$doc])* pub $field: i32,)*
        }

        impl Default for SelectiveParameters {
            fn default() -> Self {
                SelectiveParameters::DEFAULT
            }
        }

        impl SelectiveParameters {
            /// The values that the engine plays with.
            pub const DEFAULT: SelectiveParameters = SelectiveParameters { $($field: $default,)* };

            /// All parameters.
            pub const ALL: &[SelectiveParameter] = &[
                $(SelectiveParameter {
                    name: $name,
                    default: $default,
                    range: ($min, $max),
                    set: |parameters, value| parameters.$field = value.clamp($min, $max),
                },)*
            ];
        }
    };
}

selective_parameters! {
    /// The greatest depth of reverse futility pruning, in plies.
    futility_depth: "Futility Depth" = 9 in 0..=20,
    /// The margin of reverse futility pruning for each ply, in hundredths of half a value step (of a seed).
    futility_margin: "Futility Margin" = 88 in 0..=1000,
    /// Moves are reduced from this depth on, in plies.
    reduction_depth: "Reduction Depth" = 3 in 2..=20,
    /// Moves are reduced from this move count on.
    reduction_move: "Reduction Move" = 2 in 2..=12,
    /// The reduction of the first reduced move, in hundredths of a ply.
    reduction_base: "Reduction Base" = 69 in 0..=500,
    /// What each later move adds to a reduction, in hundredths of a ply.
    reduction_per_move: "Reduction Per Move" = 92 in 0..=300,
    /// What each ply of depth adds to reductions, in hundredths of a ply.
    reduction_per_ply: "Reduction Per Ply" = 14 in 0..=100,
    /// What each seed by which a move's estimate is below alpha adds to its reduction, in hundredths of a ply.
    reduction_per_seed: "Reduction Per Seed" = 25 in 0..=200,
    /// Extra turns cost no depth up to this depth, in plies.
    extension_depth: "Extension Depth" = 2 in 0..=20,
    /// Moves are ordered by the evaluation of the positions after them from this depth on, in plies.
    evaluated_ordering_depth: "Evaluated Ordering Depth" = 2 in 1..=255,
}
