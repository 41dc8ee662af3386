/// Krylov methods: conjugate gradients and Lanczos for operators `A = VᵀKV + σ²I` known by
/// products. Entry types: [lovelace.krylov.Space], [lovelace.krylov.ConjugateGradients],
/// [lovelace.krylov.Lanczos]. Imports `lovelace.linear` only.
@NullMarked
package lovelace.krylov;

import org.jspecify.annotations.NullMarked;
